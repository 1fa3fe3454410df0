// Does with time what the test tells it to, line by line: see test_probe.h.
package main

import (
	"bufio"
	"fmt"
	"os"
	"time"
	_ "unsafe"
)

//go:linkname nanotime runtime.nanotime
func nanotime() int64

func main() {
	input := bufio.NewScanner(os.Stdin)
	for input.Scan() {
		order, seconds := "", int64(0)
		fmt.Sscanf(input.Text(), "%s %d", &order, &seconds)
		switch order {
		case "clocks":
			fmt.Println(time.Now().UnixNano(), nanotime())
		case "sleep":
			fmt.Println("waiting")
			time.Sleep(time.Duration(seconds) * time.Second)
			fmt.Println("timed out")
		case "wait":
			fmt.Println("waiting")
			never := make(chan int)
			select {
			case <-never:
				fmt.Println("went wrong")
			case <-time.After(time.Duration(seconds) * time.Second):
				fmt.Println("timed out")
			}
		}
	}
}

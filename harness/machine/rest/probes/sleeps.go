// Sleeps and waits, and says how long each took on its own clock.
package main

import (
	"fmt"
	"time"
)

func tell(what string, act func()) {
	began := time.Now()
	act()
	fmt.Println(what, time.Since(began).Nanoseconds())
}

func main() {
	tell("sleep", func() { time.Sleep(1500 * time.Millisecond) })
	tell("wait", func() {
		select {
		case <-make(chan int):
		case <-time.After(250 * time.Millisecond):
		}
	})
	tell("minute", func() { time.Sleep(time.Minute) })
}

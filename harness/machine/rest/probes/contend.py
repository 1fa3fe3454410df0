# Four threads contend for a lock, each with pauses of its own: who has it when?
import sys
import threading
import time

lock = threading.Lock()


def work(number):
    for turn in range(5):
        with lock:
            sys.stdout.write(str(number))
            time.sleep(0.00025)
        time.sleep(0.0005 if turn % 2 else 0)


threads = [threading.Thread(target=work, args=(number,)) for number in range(1, 5)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
print(flush=True)

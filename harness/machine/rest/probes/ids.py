# What a program may make ids of.
import os
import random
import uuid

with open("/dev/urandom", "rb") as file:
    print(file.read(8).hex(), os.urandom(8).hex(), random.random(), uuid.uuid4(), hash("text"))

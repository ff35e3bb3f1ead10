"""The floor: rapidyaml parses a stream and prints it again, and does nothing else. rapidyaml_job.py FILE"""

import sys

import ryml

with open(sys.argv[1], "rb") as file:
    tree = ryml.parse_in_arena(file.read())
sys.stdout.write(ryml.emit_yaml(tree))

"""`python -m tilewright`: the command line."""

from tilewright.apps.cli import main

if __name__ == "__main__":
    main()

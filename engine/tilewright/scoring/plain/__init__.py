"""The plain way to score: every reading, judged by walking expressions. It explains, and is the oracle of the image."""

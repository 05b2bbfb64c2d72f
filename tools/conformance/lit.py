"""As much of LLVM's test format `lit` as the suites here use."""

import re


def truth(expression, features):
    """The value of an expression of features with `&&`, `||`, `!` and parentheses."""
    tokens = re.findall(r"&&|\|\||!|\(|\)|[\w.+-]+", expression)

    def peek():
        return tokens[0] if tokens else None

    def unary():
        token = tokens.pop(0)
        if token == "!":
            return not unary()
        if token == "(":
            value = either()
            tokens.pop(0)
            return value
        return token in features or token == "true"

    def both():
        value = unary()
        while peek() == "&&":
            tokens.pop(0)
            value = unary() and value
        return value

    def either():
        value = both()
        while peek() == "||":
            tokens.pop(0)
            value = both() or value
        return value

    return either()


def conditions(text, keyword):
    """The expressions behind a keyword, such as `XFAIL:`; commas separate them."""
    lines = re.findall(rf"^\W*{keyword}:(.*)$", text, re.MULTILINE)
    return [part for line in lines for part in line.split(",") if part.strip()]


def supported(text, features):
    """Whether a test is one for these features."""
    return all(truth(part, features) for part in conditions(text, "REQUIRES")) and not any(
        truth(part, features) for part in conditions(text, "UNSUPPORTED")
    )


def commands(text):
    """The commands of the test; a backslash continues one on the next line."""
    lines = re.findall(r"^\W*RUN:(.*)$", text, re.MULTILINE)
    return [line for line in re.sub(r"\\\n", " ", "\n".join(lines)).splitlines() if line.strip()]


def with_conditions(command, features):
    """A command whose `%if FEATURE %{ ... %}` are decided."""

    def decide(match):
        return match[2] if truth(match[1], features) else ""

    return re.sub(r"%if\s+(\S+)\s+%\{(.*?)%\}", decide, command)


def split_file(text, folder):
    """Writes the parts of a file, each behind a line `#--- NAME`, to a folder."""
    parts = re.split(r"^(?:#|//|;)?--- (\S+)[^\n]*\n", text, flags=re.MULTILINE)
    for name, body in zip(parts[1::2], parts[2::2]):
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(body)
    return len(parts) > 1

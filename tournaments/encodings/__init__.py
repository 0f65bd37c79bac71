"""Bytes to text: the one decoder of files from outside, of both apps."""

from tournaments.encodings.code_pages import Encoding
from tournaments.encodings.decoding import CHOICES, Decoded, decode, encoding_named

__all__ = ["CHOICES", "Decoded", "Encoding", "decode", "encoding_named"]

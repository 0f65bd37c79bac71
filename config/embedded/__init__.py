"""The embedded database: PostgreSQL from an installed package, its data under the data folder.

A Django database backend (``ENGINE = "config.embedded"``). The server starts when a process first opens a
connection, is shared by all processes, and stops when the last of them has gone, however it went: each
process holds a shared lock on one file, which the kernel lets go when the process dies. ``base`` is the
backend, ``server`` starts and stops, ``keeper`` waits for the last holder, ``identity`` finds a user that
PostgreSQL agrees to run as.
"""

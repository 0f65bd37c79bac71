"""The programming interface under /api/v1/: what the pages show and do, as JSON.

Reads answer the same to everybody: what is public. What only officials see (drafts, versions, the log) has addresses
of its own. Writes call one service each; the services hold the permissions.
"""

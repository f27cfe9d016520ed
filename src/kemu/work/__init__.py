"""Work in other processes: tasks of a server, and of commands that compute for long, on this machine or with Ray."""

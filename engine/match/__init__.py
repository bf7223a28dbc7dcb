"""What every match can do, in any game: folding and replaying its log, undoing, aborting, forking,
absent players.
"""

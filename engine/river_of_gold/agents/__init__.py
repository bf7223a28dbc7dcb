"""What programs that play River of Gold need: a policy for absent players, evaluation, actions and
features as numbers.
"""

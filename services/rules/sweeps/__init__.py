"""What a rules server does by itself, whoever asks: time-outs, proposals that expire, reminders, vacations."""

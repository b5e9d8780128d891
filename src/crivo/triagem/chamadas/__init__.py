"""An edital as people write it, before there is anything to screen: made, changed, its effect foreseen, its projects brought in."""

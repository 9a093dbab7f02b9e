"""Contests: patterns that are decided together in, those that count out, and at how many places.

What `scoring.plain.resolve` does, for patterns of a contest and those that may drop some of them (rivals, in the order
of the ruleset), over parts as bits. Choices go through the same steps, as the first of the best ones counts. Knows no
worths but those of the image."""

from tilewright.base.kernels import Array, kernel, lowest_bit
from tilewright.scoring.kernel import layout as at
from tilewright.scoring.kernel.layout import ScoringArrays
from tilewright.scoring.plain.resolve import MOST_STEPS


@kernel
def decide(known: ScoringArrays, turn: int) -> int:
    """Count what counts of the contest of a turn. NO_READING, or BY_ITSELF where only the engine knows its places."""
    image, space = known.image, known.space
    words, contest, losers = image[at.ITEM_WORDS], image[turn], 0
    for word in range(words):
        held = space[at.FACTS, image[at.ITEM_WORD] + word] & image[turn + 1 + word]
        held |= space[at.COUNTING, word] & image[turn + 1 + words + word]
        if held & image[image[at.UNKNOWN_PLACES] + word]:
            return at.BY_ITSELF
    present = find_rivals(known, turn)
    if present < 0:
        return at.BY_ITSELF
    is_open = known.contexts[space[at.NOW, at.NOW_CONTEXT], at.OPEN]
    while True:
        counted = exclude(image, contest, present, losers, is_open, space)
        beaten = lose(image, contest, counted, space)
        again = beaten & ~losers
        losers |= beaten
        dropping = False
        while again:
            rival = lowest_bit(again)
            again &= again - 1
            dropping = dropping or image[image[contest + at.CONTEST + rival] + at.EXCLUDES] != 0
        if not dropping:
            break
    note(image, contest, counted, space)
    return at.NO_READING


@kernel
def note(image: Array, contest: int, counted: int, space: Array) -> None:
    """Count the members of a contest that are left beside the first family that lets no others count."""
    words, sole, left = image[at.ITEM_WORDS], -1, counted
    while left:
        rival = lowest_bit(left)
        left &= left - 1
        family = image[image[contest + at.CONTEST + rival] + at.SOLE_FAMILY]
        if space[at.KEPT_NUMBER, rival] and family >= 0 and (sole < 0 or family < sole):
            sole = family
    while counted:
        rival = lowest_bit(counted)
        counted &= counted - 1
        record, number = image[contest + at.CONTEST + rival], space[at.KEPT_NUMBER, rival]
        if not (number and image[record + at.IN_CONTEST]) or (sole >= 0 and image[record + at.SOLE_FAMILY] != sole):
            continue
        item, shown = image[record + at.RIVAL_ITEM], space[at.KEPT_SHOWN, rival]
        space[at.CLOSED, item], space[at.SHOWN_AT, item] = number - shown, shown
        for word in range(words):
            space[at.COUNTING, word] |= image[record + at.RIVAL + word]


# --- places


@kernel
def find_rivals(known: ScoringArrays, turn: int) -> int:
    """Find the places of the rivals that hold: which do, as bits; -1 where there are too many places."""
    image, space = known.image, known.space
    words, contest, present, place = image[at.ITEM_WORDS], image[turn], 0, 0
    if not space[at.NOW, at.NOW_MET]:
        find_meeting(known)
    for rival in range(image[contest + at.RIVALS]):
        record, held = image[contest + at.CONTEST + rival], 0
        source = at.FACTS if image[record + at.IN_CONTEST] else at.COUNTING
        first = image[at.ITEM_WORD] if image[record + at.IN_CONTEST] else 0
        for word in range(words):
            held |= space[source, first + word] & image[record + at.RIVAL + word]
        space[at.FIRST_PLACE, rival] = place
        if held:
            found = find_places_of(image, record, place, space)
            if found < 0:
                return -1
            present |= (found > place) << rival
            place = found
        space[at.FIRST_PLACE, rival + 1] = place
    return int(present)


@kernel
def find_meeting(known: ScoringArrays) -> None:
    """Find which parts meet each want."""
    image, space = known.image, known.space
    kind, space[at.NOW, at.NOW_MET] = known.contexts[space[at.NOW, at.NOW_CONTEXT], at.CLASS], 1
    for want in range(image[at.WANTS]):
        space[at.MEETING, want] = 0
    for part in range(space[at.NOW, at.NOW_OWN]):
        wants = known.met[kind, space[at.ORDERED, part]]
        while wants:
            space[at.MEETING, lowest_bit(wants)] |= 1 << part
            wants &= wants - 1


@kernel
def find_places_of(image: Array, record: int, place: int, space: Array) -> int:
    """Add the places of a rival from this one on, each once. Where they end; -1 where there are too many."""
    start, used = record + at.RIVAL + image[at.ITEM_WORDS], 0
    if place + 1 >= at.MOST_PLACES:
        return -1
    if not image[record + at.EACH]:
        for _ in range(image[record + at.LISTS]):
            found = find_matches(image, start, space)
            if found < 1:
                return -1
            used |= space[at.MATCHES, 0]
            start = end_of(image, start)
        if not image[record + at.LISTS]:
            used = (1 << space[at.NOW, at.NOW_OWN]) - 1
        space[at.PLACES_AT, place] = used
        return place + 1
    end, found = place, find_matches(image, start, space)
    for match in range(found):
        is_new = True
        for other in range(place, end):
            is_new = is_new and space[at.PLACES_AT, other] != space[at.MATCHES, match]
        if is_new:
            if end + 1 >= at.MOST_PLACES:
                return -1
            space[at.PLACES_AT, end] = space[at.MATCHES, match]
            end += 1
    return int(end if found >= 0 else -1)


@kernel
def end_of(image: Array, cases: int) -> int:
    """Where a list of cases ends."""
    spot = cases + 1
    for _ in range(image[cases]):
        spot += 1 + 2 * image[spot]
    return int(spot)


@kernel
def find_matches(image: Array, cases: int, space: Array) -> int:
    """Find every way to meet all wants of a case with different parts, case by case. How many; -1 for too many."""
    spot, found = cases + 1, 0
    for _ in range(image[cases]):
        wants = image[spot]
        first, stop = found, found + 1
        if stop >= at.MOST_PLACES:
            return -1
        space[at.MATCHES, first] = 0
        for want in range(wants):
            fitting = space[at.MEETING, image[spot + 1 + 2 * want]]
            for number in range(image[spot + 2 + 2 * want]):
                end = stop
                for match in range(first, stop):
                    taken = space[at.MATCHES, match]
                    free = fitting & ~taken & -(space[at.NEXT_PART, match] if number else 1)
                    while free:
                        if end >= at.MOST_PLACES:
                            return -1
                        part = free & -free
                        free ^= part
                        space[at.MATCHES, end], space[at.NEXT_PART, end] = taken | part, part << 1
                        end += 1
                first, stop = stop, end
        spot += 1 + 2 * wants
        for match in range(first, stop):
            space[at.MATCHES, found] = space[at.MATCHES, match]
            found += 1
    return int(found)


# --- exclusions


@kernel
def exclude(image: Array, contest: int, present: int, losers: int, is_open: int, space: Array) -> int:
    """Keep the places of each rival that those which exclude it, but for losers, leave to it. Which are left, as
    bits."""
    rivals, counted = image[contest + at.RIVALS], 0
    for turn in range(rivals):
        rival = image[contest + at.CONTEST + rivals + turn]
        if not present >> rival & 1:
            continue
        record, first = image[contest + at.CONTEST + rival], space[at.FIRST_PLACE, rival]
        excluders, number = image[record + at.EXCLUDED_BY] & counted & ~losers, 0
        if not image[record + at.EACH]:
            number = int(not (excluders or image[record + (at.NEVER_OPEN if is_open else at.NEVER)]))
            space[at.KEPT, first] = space[at.PLACES_AT, first]
        else:
            for place in range(first, space[at.FIRST_PLACE, rival + 1]):
                parts, left, is_inside = space[at.PLACES_AT, place], excluders, False
                while left:
                    is_inside = is_inside or not parts & ~space[at.USED, lowest_bit(left)]
                    left &= left - 1
                if not is_inside:
                    space[at.KEPT, first + number] = parts
                    number += 1
            if image[record + at.DISJOINT]:
                number = most_disjoint(first, number, space)
        used = shown = 0
        for place in range(first, first + number):
            used |= space[at.KEPT, place]
            shown += shows(image, record, space[at.KEPT, place], is_open, space)
        space[at.USED, rival], space[at.KEPT_SHOWN, rival], space[at.KEPT_NUMBER, rival] = used, shown, number
        counted |= (number > 0) << rival
    return int(counted)


@kernel
def shows(image: Array, record: int, parts: int, is_open: int, space: Array) -> int:
    """Whether a pattern counts as exposed at a place."""
    if not image[record + at.EACH]:
        return int(is_open)
    return int(image[record + at.SHOWS] and (parts & space[at.MEETING, at.EXPOSED_PART]) != 0)


@kernel
def most_disjoint(first: int, number: int, space: Array) -> int:
    """Keep as many disjoint places of these as possible, the first in their order. How many."""
    depth, most, steps = 0, 0, MOST_STEPS
    space[at.TURN_AT, 0] = space[at.TURN_PARTS, 0] = 0
    while depth >= 0:
        place = space[at.TURN_AT, depth]
        if place < number:
            steps -= 1
        if place >= number or steps < 0 or depth + number - place <= most:
            depth -= 1
            continue
        space[at.TURN_AT, depth] = place + 1
        parts = space[at.KEPT, first + place]
        if not space[at.TURN_PARTS, depth] & parts:
            space[at.TURN_TAKEN, depth] = place
            depth += 1
            space[at.TURN_AT, depth], space[at.TURN_PARTS, depth] = place + 1, space[at.TURN_PARTS, depth - 1] | parts
            if depth > most:
                most = depth
                for taken in range(depth):
                    space[at.BEST_TAKEN, taken] = space[at.TURN_TAKEN, taken]
    for taken in range(most):
        space[at.KEPT, first + taken] = space[at.KEPT, first + space[at.BEST_TAKEN, taken]]
    return int(most)


# --- families


@kernel
def lose(image: Array, contest: int, counted: int, space: Array) -> int:
    """Keep of each family what it keeps. Which rivals lost, as bits."""
    rivals, beaten = image[contest + at.RIVALS], 0
    for family in range(image[contest + at.CONTEST_FAMILIES]):
        spot = contest + at.CONTEST + 2 * rivals + 2 * family
        members = image[spot + 1] & counted
        if members and image[spot]:
            beaten |= keep_once(image, contest, members, space)
        elif members:
            best = lowest_bit(members)
            left = members & members - 1
            while left:
                rival = lowest_bit(left)
                left &= left - 1
                beats = is_worth_more(
                    image,
                    image[image[contest + at.CONTEST + rival] + at.RIVAL_ITEM],
                    space[at.KEPT_NUMBER, rival],
                    space[at.KEPT_SHOWN, rival],
                    image[image[contest + at.CONTEST + best] + at.RIVAL_ITEM],
                    space[at.KEPT_NUMBER, best],
                    space[at.KEPT_SHOWN, best],
                )
                loser = best if beats else rival
                best = rival if beats else best
                beaten |= 1 << loser
                space[at.KEPT_NUMBER, loser] = 0
    return int(beaten)


@kernel
def worth_in(image: Array, item: int, number: int, shown: int, measure: int) -> int:
    """What an item of a contest is worth in a measure, at so many places, of which some are exposed."""
    sums = image[at.SUMS]
    closed = image[at.WORTH] + 2 * item * sums + 2 * measure
    once, exposed = image[closed] + image[closed + 1], image[closed + sums] + image[closed + sums + 1]
    return int((number - shown) * once + shown * exposed)


@kernel
def is_worth_more(
    image: Array, item: int, number: int, shown: int, other: int, other_number: int, other_shown: int
) -> bool:
    """Whether an item is worth more than another one, by measures in their order."""
    for measure in range(image[at.SUMS] // 2):
        here = worth_in(image, item, number, shown, measure)
        there = worth_in(image, other, other_number, other_shown, measure)
        if here != there:
            return here > there
    return False


@kernel
def keep_once(image: Array, contest: int, members: int, space: Array) -> int:
    """Keep the most valuable places of a family that form no ring of parts. Which members are left with none, as
    bits."""
    options = lay_options(image, contest, members, space)
    most = choose(image, contest, options, space)
    left, beaten = members, members if most else 0
    while left:
        rival = lowest_bit(left)
        left &= left - 1
        space[at.KEPT_NUMBER, rival] = space[at.KEPT_SHOWN, rival] = 0
    for taken in range(most):
        option = space[at.BEST_TAKEN, taken]
        rival = space[at.OPTION_RIVAL, option]
        space[at.KEPT_NUMBER, rival] += 1
        space[at.KEPT_SHOWN, rival] += space[at.OPTION_SHOWN, option]
        beaten &= ~(1 << rival)
    return int(beaten)


@kernel
def lay_options(image: Array, contest: int, members: int, space: Array) -> int:
    """The places of the members of a family, the most valuable ones first. How many."""
    options = 0
    while members:
        rival = lowest_bit(members)
        members &= members - 1
        record, first = image[contest + at.CONTEST + rival], space[at.FIRST_PLACE, rival]
        item, each = image[record + at.RIVAL_ITEM], image[record + at.EACH]
        for place in range(first, first + space[at.KEPT_NUMBER, rival]):
            parts, spot = space[at.KEPT, place], options
            shown = shows(image, record, parts, 0, space) if each else space[at.KEPT_SHOWN, rival]
            while spot:
                before = space[at.OPTION_RIVAL, spot - 1]
                other = image[image[contest + at.CONTEST + before] + at.RIVAL_ITEM]
                if not is_worth_more(image, item, 1, shown, other, 1, space[at.OPTION_SHOWN, spot - 1]):
                    break
                space[at.OPTION_RIVAL, spot] = before
                space[at.OPTION_PLACE, spot] = space[at.OPTION_PLACE, spot - 1]
                space[at.OPTION_SHOWN, spot] = space[at.OPTION_SHOWN, spot - 1]
                spot -= 1
            space[at.OPTION_RIVAL, spot], space[at.OPTION_PLACE, spot], space[at.OPTION_SHOWN, spot] = (
                rival,
                parts,
                shown,
            )
            options += 1
    return int(options)


@kernel
def choose(image: Array, contest: int, options: int, space: Array) -> int:
    """The most valuable choice of options that joins no parts which were joined already. How many it has."""
    measures, depth, most, steps = image[at.SUMS] // 2, 0, 0, MOST_STEPS
    for measure in range(measures):
        space[at.TOTAL, measure] = space[at.BEST_TOTAL, measure] = 0
    space[at.TURN_AT, 0] = 0
    while depth >= 0:
        option = space[at.TURN_AT, depth]
        if option < options:
            steps -= 1
        if option >= options or steps < 0:
            depth -= 1
            if depth >= 0:
                add_option(image, contest, space[at.TURN_TAKEN, depth], -1, space)
            continue
        space[at.TURN_AT, depth] = option + 1
        joined = join(depth, space[at.OPTION_PLACE, option], space)
        if joined < 0:
            continue
        space[at.TURN_TAKEN, depth], space[at.TURN_PARTS, depth] = option, joined
        depth += 1
        space[at.TURN_AT, depth] = option + 1
        if add_option(image, contest, option, 1, space):
            most = depth
            for measure in range(measures):
                space[at.BEST_TOTAL, measure] = space[at.TOTAL, measure]
            for taken in range(depth):
                space[at.BEST_TAKEN, taken] = space[at.TURN_TAKEN, taken]
    return int(most)


@kernel
def add_option(image: Array, contest: int, option: int, times: int, space: Array) -> bool:
    """Add what an option is worth to the total, or take it off. Whether that is more than the best one."""
    item = image[image[contest + at.CONTEST + space[at.OPTION_RIVAL, option]] + at.RIVAL_ITEM]
    more = 0
    for measure in range(image[at.SUMS] // 2):
        space[at.TOTAL, measure] += times * worth_in(image, item, 1, space[at.OPTION_SHOWN, option], measure)
        if not more:
            more = space[at.TOTAL, measure] - space[at.BEST_TOTAL, measure]
    return more > 0


@kernel
def join(depth: int, place: int, space: Array) -> int:
    """The parts that are joined by a place, all of them; -1 if two of its own were joined already. What was joined at
    each depth has all that it touched."""
    covered, joined = 0, place
    for turn in range(depth):
        island = space[at.TURN_PARTS, depth - 1 - turn]
        if island & covered:
            continue
        covered |= island
        both = island & place
        if both & both - 1:
            return -1
        if both:
            joined |= island
    return int(joined)

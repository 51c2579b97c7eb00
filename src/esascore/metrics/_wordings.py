"""English words that carry no content of their own, and words in which people put a property of the input.

The lists are general English, written for this purpose: a property called ``birthPlace`` is worded "born",
one called ``almaMater`` "graduated from". None is mined from a corpus.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType


def _listed(words: str) -> frozenset[str]:
    return frozenset(words.split())


FUNCTION_WORDS = _listed(
    """
    a an the this that these those it its he she him her his hers they them their theirs we us our you your i
    me my who whom whose which what where when how why there here
    and or but nor so yet if than then as while because although though also too both either neither not no
    only just
    of in on at by for from to into onto with within without about over under between among through during
    before after since until against along across near up down out off per via
    is are was were be been being am has have had having do does did done doing can could will would shall
    should may might must
    s t d ll re ve m one some any all each every other another such same own more most many much very well
    called known named located situated found include includes including
    """
)
"""Words that say nothing about an input: articles, pronouns, prepositions, auxiliaries, and "called"."""

_GROUPS = """
active: career began started performing
affiliated: affiliation affiliations member
affiliation: affiliated member
aired: broadcast shown began
alma mater: graduated attended studied educated student graduate alumnus
alternative: known called
architect: designed
architecture: style built
area: covers size square total
artist: musician plays worked associated
assembly: assembled built made
author: wrote written writer
award: won awarded received
band: member played associated worked
battle conflict: fought battles war
birth: born birthplace native
body: governed
broadcast broadcasted: aired shown
builder: built
chairman: chaired
child children: daughter son
city: town
class family order: belongs
club: plays played play player team member affiliated
coach: coached manager
commander: commanded led
completed completion: completed completion finished
cost: costs price
country: comes nation
course: served dessert
creator: created invented
crew: crewed members
death: died dies dead passed
dedicated: dedication
demonym: people called known inhabitants
designer: designed
diameter width: wide
director: directed
discoverer: discovered discovers discovery
dish: food variations
editor: edited
elevation: above meters metres sea level high
end: ended finished
engine: powered
established: founded opened began
ethnic: groups
first: began started
flight: flew flown
foundation founded: founded established founder
genre: plays performs music performer musician
governing: governed administered run
ground: home stadium based
group: groups
headquarter headquarters: based
height: tall high
ingredient: made contains contain containing used using food dish
instrument: plays played playing
isbn: number book
label: signed
language: spoken speak speaks
last: ended final
launch site: launched
leader: led leads headed mayor president governor minister head governed
league: competes compete plays
length: long
location: lies stands sits based lie
manager: managed manages coach
manufacturer: made built produced manufactures
mass weight: weighs weight
material: made built
media: available published
mission: crew crewed flew flown
musical: musician played
name: titled
nationality: citizen national born
occupation: worked works job served profession
office: worked works served
operating operator: operated operates run runs
operation served: serves airport
origin stylistic: originates originated comes came come derived roots
owner: owned owns belongs
pages: long book
parent: parents father mother son daughter
part: belongs
party: member
people: inhabitants
period: takes
population: people inhabitants residents
position: plays
predecessor: preceded
production: produced made began
publisher: published publishes
region: comes area
related relative: similar like
representative: represented
residence: lives lived resides
river: flows
runway: length long
season: competed played
selected: chosen hired picked
spouse: married wife husband
starring: starred stars star actor played
start: began started
status: now currently
subject: about
successor: succeeded followed
team: plays played play player member
time: spent
variation: variants variety served similar
"""


def _wordings() -> dict[str, frozenset[str]]:
    found: dict[str, frozenset[str]] = {}
    for line in _GROUPS.strip().split("\n"):
        names, _, words = line.partition(": ")
        for name in names.split():
            found[name] = found.get(name, frozenset()) | _listed(words)
    return found


WORDINGS: Mapping[str, frozenset[str]] = MappingProxyType(_wordings())
"""Word of a property's name -> words in which texts put it."""

PLACE_PROPERTIES = _listed(
    "country location region city state county place nationality part town municipality district"
)
"""Words of properties for which a preposition is wording enough: "Bionico is from Mexico"."""

PLACE_PREPOSITIONS = _listed("in from at of near")

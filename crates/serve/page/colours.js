// Colours of groups of tiles, and the letters that say the same to those who do not tell them apart.

/** As many as the style sheet has. */
const COLOURS = 8;

/** Gives each list of tiles a colour and a letter. */
export function groupsOf(lists) {
  return lists.map((tiles, index) => ({
    tiles,
    colour: String(index % COLOURS),
    letter: String.fromCharCode('a'.charCodeAt(0) + (index % 26)),
  }));
}

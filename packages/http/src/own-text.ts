/**
 * A text of a header for whoever remembers it: the engine keeps all of a head for a text that was cut out of it, which may be a hundred
 * times as long.
 */
export const ownText = (header: string): string => Buffer.from(header, 'latin1').toString('latin1')

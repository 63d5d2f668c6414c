/** Lists what can be removed from a text, in the order of the report. */
export const removalKinds = {
  assignee: 'the person whom the item was assigned to',
  mention: 'a mention of a person, now @someone',
  email: 'an e-mail address',
  phone: 'a phone or fax number',
  account: 'the name of an account: DOMAIN\\user, or one of a directory',
  token: 'an access token or key, or a part of a link that held one',
  password: 'a password, also one in a URL or a connection string',
  'private-key': 'a private key block',
  iban: 'the number of a bank account',
  card: 'the number of a payment card',
  'national-id': 'the number that a country gives a person',
  ip: 'an IP address',
  mac: 'a MAC address',
  'internal-link': 'a link that opens only inside the tracker or on one machine; its text stays',
  attachment: "an image or file that is kept in the tracker; an image's alternative text stays",
  'unsafe-url': 'a javascript:, data: or other URL that no draft should hold; its text stays',
  image: 'an image of another host, now a link',
  'tracking-image': 'an invisible image that tells its host who reads',
  script: 'a script',
  'event-handler': 'an attribute that runs a script',
  style: 'a style sheet',
  metadata: 'a title, base address or other part of the head of a page, or its table of contents',
  frame: 'a page, object or applet embedded in the text',
  drawing: 'an SVG drawing or canvas',
  form: 'a form or a control of one',
  hidden: 'text that the source does not show',
  'office-markup': 'what an office program left in pasted text',
  comment: 'a comment in the source',
  'invisible-character': 'a character without a width, or one that turns the reading direction',
  'too-deep': 'nesting beyond the limit; its text stays, flat',
  'too-large': 'formatting of a text or table that is too large to read; its text stays',
} as const

export type RemovalKind = keyof typeof removalKinds

export interface Removal {
  kind: RemovalKind
  count: number
}

/** Counts removals. */
export class Tally {
  #counts = new Map<RemovalKind, number>()

  add(kind: RemovalKind, count = 1): void {
    if (count > 0) this.#counts.set(kind, (this.#counts.get(kind) ?? 0) + count)
  }

  addAll(other: Tally): void {
    for (const [kind, count] of other.#counts) this.add(kind, count)
  }

  get isEmpty(): boolean {
    return this.#counts.size === 0
  }

  /** Returns the removals in the order of `removalKinds`. */
  list(): Removal[] {
    return (Object.keys(removalKinds) as RemovalKind[]).flatMap((kind) => {
      const count = this.#counts.get(kind)
      return count === undefined ? [] : [{ kind, count }]
    })
  }
}

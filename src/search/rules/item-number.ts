/** A number in a query that may mean an ID. */
export interface ItemNumber {
  id: number
  /**
   * - `marked`: written as an ID, as `#204` or `AB#204`;
   * - `address`: in the address of a work item's page;
   * - `plain`: nothing but digits.
   */
  kind: 'marked' | 'address' | 'plain'
}

const PLAIN = /^\(?(\d{1,15})[),.;:!?]{0,3}$/
const MARKED = /^\(?[a-z]{0,10}#(\d{1,15})[),.;:!?]{0,3}$/i
const ADDRESS = /^<?(?:https?:\/\/|[a-z0-9.-]{1,100}\.[a-z]{2,20}(?::\d{1,5})?\/)/i
const IN_ADDRESS = /(?:\/_?work-?items?(?:\/edit)?\/|\/items\/|[?&](?:work-?item|id)=)(\d{1,15})(?!\d)/i

export function parseItemNumber(text: string): ItemNumber | null {
  const plain = PLAIN.exec(text)
  if (plain) return { id: Number(plain[1]), kind: 'plain' }
  const marked = MARKED.exec(text)
  if (marked) return { id: Number(marked[1]), kind: 'marked' }
  const inAddress = ADDRESS.test(text) ? IN_ADDRESS.exec(text) : null
  return inAddress && { id: Number(inAddress[1]), kind: 'address' }
}

const NAMES_AN_ITEM = /^(?:work ?)?(?:bug|story|task|feature|epic|issue|item|pbi|ticket|requirement|draft|folder|id)$/i
const MIN_DIGITS = 3

/** Whether digits beside words mean an ID: they follow what an item is called, or are long and no year. */
export function isIdBesideWords(id: number, before: string | undefined): boolean {
  if (before !== undefined && NAMES_AN_ITEM.test(before)) return true
  const isYear = id >= 1900 && id < 2100
  return id >= 10 ** (MIN_DIGITS - 1) && !isYear
}

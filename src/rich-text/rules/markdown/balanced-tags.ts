const TAG = /<(\/?)([a-z][a-z\d-]*)(?=[\s/>])[^<>]*>/gi
const VOID = new Set('area base br col embed hr img input link meta source track wbr'.split(' '))

/** Whether all tags of a block of HTML begin and end in it. GitHub's `<details>` do not if there are blank lines in them. */
export function isBalanced(html: string): boolean {
  const open: string[] = []
  for (const [tag, slash, name] of html.matchAll(TAG)) {
    const own = name!.toLowerCase()
    if (VOID.has(own) || tag.endsWith('/>')) continue
    if (slash === '') open.push(own)
    else if (open.pop() !== own) return false
  }
  return open.length === 0
}

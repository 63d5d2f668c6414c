/** The source of an expression for how names of passwords and keys end. */
export const SECRET_LABEL = '(?:passw(?:or)?d|passphrase|pwd|secret|token|api_?key)'

/** Matches a name that ends in such a label. */
export const NAMES_SECRET = new RegExp(`${SECRET_LABEL}\\d?$`, 'i')

/** The source for a tag whose name, or that of its setting, ends in a label: `<sonar.password>`, `<entry key="jdbc.password">`. */
export const TAG_OF_SECRET = `<(?:[\\w.:-]{0,80}${SECRET_LABEL}\\d?(?:\\s[^<>]{0,200})?|\\w{1,20}\\s[^<>]{0,100}(?:key|name|id)=["'][\\w.:-]{0,60}${SECRET_LABEL}["'][^<>]{0,100})>`
const WHOLE_TAG = new RegExp(`^${TAG_OF_SECRET}$`, 'i')

/**
 * Returns whether a tag says that its element holds a secret. Such tags of pasted settings are text, because the value between them is
 * not understood without them.
 */
export function isTagOfSecret(tag: string): boolean {
  return WHOLE_TAG.test(tag)
}

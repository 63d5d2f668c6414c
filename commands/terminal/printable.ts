/** Untrusted text for a terminal: control characters and direction marks become visible symbols. */
export function printable(text: string): string {
  return text.replace(
    /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g,
    (char) => {
      const code = char.charCodeAt(0)
      return code < 0x20 ? String.fromCharCode(0x2400 + code) : code === 0x7f ? '␡' : '\ufffd'
    },
  )
}

/** The same on one line. */
export function printableLine(text: string): string {
  return printable(text.replace(/\s+/g, ' ').trim())
}

export const htmlToLines = (s: string) => s
export const htmlToPlainText = (s: string) => s

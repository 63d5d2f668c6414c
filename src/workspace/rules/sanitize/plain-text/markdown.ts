export const markdownToPlainText = (s: string) => s

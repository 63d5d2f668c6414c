/** What the check-in page of drivers says. `{…}` is replaced. The other languages have the same texts. */
export const en = {
  languageName: 'English',
  title: 'Check-in',
  label: 'Reference number or trailer number',
  hint: 'It is on your papers.',
  submit: 'Check in',
  sending: 'Please wait…',
  waiting: 'Please wait in your truck.',
  position: 'You are number {position} in the queue.',
  next: 'You are next.',
  keepOpen: 'Keep this page open. It shows when your door is free.',
  toDoor: 'Go to',
  loading: 'You are being served at',
  completed: 'Your truck is done. Please collect your papers and leave the door.',
  left: 'Your visit has ended. Have a safe trip!',
  checkedIn: 'You are checked in.',
  askGate: 'Please see the gate.',
  notFound: 'We could not check you in with this number.',
  checkNumber: 'Check the number. If it is correct, please see the gate.',
  tooMany: 'Too many attempts.',
  linkEnded: 'This page is no longer valid.',
  offline: 'No connection. Trying again…',
  again: 'New check-in',
  needsScript: 'This page needs JavaScript.',
  language: 'Language',
} as const

export type GateTexts = Record<keyof typeof en, string>

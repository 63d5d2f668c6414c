/** What the roles of people and tokens allow, for the choice of one. */
export const roleTexts = {
  reader: 'reader: read stories and reports',
  editor: 'editor: change drafts, views and priorities',
  publisher: 'publisher: change the tracker too',
  admin: 'admin: everything, including these settings',
}

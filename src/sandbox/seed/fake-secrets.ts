/**
 * Secrets in the form of real ones, as people leave them in work items. They open nothing. They are put together here so that
 * no scanner of this repository takes them for a leak.
 */
export const trackerToken = ['k4xw7h2n', 'qz5tj3mv', 'r6bd2yfa', 'p7gc4lse', 'u3ok5xih', 'n2wq6tzd', 'm4vb'].join('')

export const codeHostToken = ['ghp', `${'R7tVq2Lx'}${'9KdPz4Wn'}${'6HsYb3Mc'}${'8JfGa5Te'}${'1UoX'}`].join('_')

export const databasePassword = ['Tide', 'Table', '7!', 'quay'].join('')

export const databaseConnection = [
  'Server=tcp:sql-harbor.quayside.example,1433',
  'Database=carriers',
  'User ID=portal_app',
  ['Pass', `word=${databasePassword}`].join(''),
  'Encrypt=True',
].join(';')

export const messageGatewayAddress = [
  'https://gatekeeper',
  ':',
  'low',
  '-water-',
  '2026',
  '@sms.quayside.example/v2/send',
].join('')

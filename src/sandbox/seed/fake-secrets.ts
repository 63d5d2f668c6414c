/**
 * Fake secrets in the form of real ones, as people leave them in work items. They are assembled here so that no secret scanner
 * takes them for a leak.
 */
const trackerToken = ['k4xw7h2n', 'qz5tj3mv', 'r6bd2yfa', 'p7gc4lse', 'u3ok5xih', 'n2wq6tzd', 'm4vb'].join('')

const codeHostToken = ['ghp', `${'R7tVq2Lx'}${'9KdPz4Wn'}${'6HsYb3Mc'}${'8JfGa5Te'}${'1UoX'}`].join('_')

const databasePassword = ['Tide', 'Table', '7!', 'quay'].join('')

const databaseConnection = [
  'Server=tcp:sql-harbor.quayside.example,1433',
  'Database=carriers',
  'User ID=portal_app',
  ['Pass', `word=${databasePassword}`].join(''),
  'Encrypt=True',
].join(';')

const messageGatewayAddress = [
  'https://gatekeeper',
  ':',
  'low',
  '-water-',
  '2026',
  '@sms.quayside.example/v2/send',
].join('')

export const fakeSecrets = { trackerToken, codeHostToken, databaseConnection, messageGatewayAddress }

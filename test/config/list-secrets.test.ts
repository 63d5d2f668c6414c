import { expect, it } from 'vitest'
import { listSecrets, loadSettings } from '../../src/config'

it('the secrets of the settings are the passwords of all addresses and the tokens, as written and decoded', () => {
  const env = {
    STUDIO_HOME: '/nowhere',
    STUDIO_DB: 'postgres://studio:tulips%2Fred@db1:5432,db2:5432/dock',
    STUDIO_DB_READ: 'postgres://studio:daisies@db3/dock',
    STUDIO_SMTP_URL: 'smtps://docks:orchids@mail.example.com',
    STUDIO_TRACKER_URL: 'https://dev.azure.com/acme',
    STUDIO_TRACKER_TOKEN: 'violets-token',
    HTTPS_PROXY: 'http://proxy:lilies@proxy.example.com:3128',
    PGPASSWORD: 'peonies or roses',
  }
  const secrets = listSecrets(loadSettings({ env, cwd: '/' }), env)
  expect(secrets).toEqual(
    expect.arrayContaining([
      'tulips%2Fred',
      'tulips/red',
      'daisies',
      'orchids',
      'violets-token',
      'lilies',
      'peonies or roses',
      'peonies%20or%20roses',
    ]),
  )
  expect(secrets.filter((secret) => /studio|docks|proxy/.test(secret))).toEqual([])
})

it('an invalid part of the settings has no secrets, and its address may be a file', () => {
  const env = { STUDIO_HOME: '/nowhere', STUDIO_SMTP_URL: 'mailto:x', STUDIO_DB: '/tmp/a:b@c.db' }
  expect(listSecrets(loadSettings({ env, cwd: '/' }), env)).toEqual([])
})

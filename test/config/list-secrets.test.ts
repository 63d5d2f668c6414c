import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { listSecrets, loadSettings } from '../../src/config'
import { temporaryFolder } from '../temporary-folder'

it('the secrets of the settings are the passwords of all addresses and the tokens, as written and decoded', () => {
  const env = {
    STUDIO_HOME: '/nowhere',
    STUDIO_DB: 'postgres://studio:tulips%2Fred@db1:5432,db2:5432/dock',
    STUDIO_DB_READ: 'postgres://studio:daisies@db3/dock',
    STUDIO_SMTP_URL: 'smtps://docks:orchids@mail.example.com',
    STUDIO_TRACKER_URL: 'https://dev.azure.com/acme',
    STUDIO_TRACKER_TOKEN: 'violets-token',
    STUDIO_LLM_TOKEN: 'asters-token',
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
      'asters-token',
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

it('the files with the password of the database and the shared secret of JWTs have secrets, without their last line break', () => {
  const folder = temporaryFolder()
  const file = (name: string, text: string) => {
    writeFileSync(join(folder, name), text)
    return join(folder, name)
  }
  const env = {
    STUDIO_HOME: '/nowhere',
    STUDIO_DB: 'postgres://studio@db1/dock',
    STUDIO_DB_PASSWORD_FILE: file('password', 'tulips and/daisies\r\n'),
    STUDIO_JWT_ISSUER: 'https://login.example.com',
    STUDIO_JWT_AUDIENCE: 'studio',
    STUDIO_JWT_SECRET_FILE: file('jwt', 'orchids-orchids-orchids-orchids-orchids\n'),
  }
  expect(listSecrets(loadSettings({ env, cwd: '/' }), env)).toEqual([
    'orchids-orchids-orchids-orchids-orchids',
    'tulips%20and%2Fdaisies',
    'tulips and/daisies',
  ])
  const unreadable = { ...env, STUDIO_DB_PASSWORD_FILE: join(folder, 'none'), STUDIO_JWT_SECRET_FILE: folder }
  expect(listSecrets(loadSettings({ env: unreadable, cwd: '/' }), unreadable)).toEqual([])
})

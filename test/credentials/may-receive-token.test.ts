import { expect, it } from 'vitest'
import { mayReceiveToken } from '../../src/credentials'

it.each([
  'https://api.example.com',
  'http://localhost:11434',
  'http://127.0.0.1:8080/v1',
  'http://[::1]:8080',
  'http://10.1.2.3',
  'http://172.31.255.255',
  'http://192.168.0.7:1234',
  'http://100.64.0.1',
  'http://169.254.1.1',
  'http://[fd12::1]',
  'http://[fe80::1]',
  'http://[::ffff:10.0.0.1]',
  'http://vllm:8000',
  'http://gpu.local',
  'http://models.internal',
  'http://host.docker.internal:8080',
  'http://nas.home.arpa',
  'http://studio.localhost',
])('%s may receive a token', (address) => {
  expect(mayReceiveToken(address)).toBe(true)
})

it.each([
  'http://api.example.com',
  'http://8.8.8.8',
  'http://172.32.0.1',
  'http://192.169.0.1',
  'http://100.128.0.1',
  'http://[2001:db8::1]',
  'http://[::ffff:8.8.8.8]',
  'http://10.0.0.1.example.com',
  'http://internal.example.com',
  'http://notlocal.example',
  'http://134744072',
])('%s may not receive a token', (address) => {
  expect(mayReceiveToken(address)).toBe(false)
})

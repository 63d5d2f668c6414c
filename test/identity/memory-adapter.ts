type Payload = Record<string, any>

/** Where an `oidc-provider` keeps its state: in memory, as long as it lives. Its own store of that kind comes with a warning. */
export function createMemoryAdapter() {
  const stored = new Map<string, { payload: Payload; endsAt: number }>()
  const find = (key: string | undefined): Payload | undefined => {
    const found = key === undefined ? undefined : stored.get(key)
    return found !== undefined && found.endsAt > Date.now() ? found.payload : undefined
  }
  return (model: string) => {
    const keyOf = (id: string) => `${model}:${id}`
    const findBy = (name: 'uid' | 'userCode') => async (value: string) =>
      [...stored].find(([key, { payload }]) => key.startsWith(`${model}:`) && payload[name] === value)?.[1].payload
    return {
      async upsert(id: string, payload: Payload, expiresInSeconds?: number) {
        const endsAt = expiresInSeconds === undefined ? Number.POSITIVE_INFINITY : Date.now() + expiresInSeconds * 1000
        stored.set(keyOf(id), { payload, endsAt })
      },
      find: async (id: string) => find(keyOf(id)),
      findByUid: findBy('uid'),
      findByUserCode: findBy('userCode'),
      async consume(id: string) {
        const payload = find(keyOf(id))
        if (payload !== undefined) payload['consumed'] = Math.floor(Date.now() / 1000)
      },
      async destroy(id: string) {
        stored.delete(keyOf(id))
      },
      async revokeByGrantId(grantId: string) {
        for (const [key, { payload }] of stored) if (payload['grantId'] === grantId) stored.delete(key)
      },
    }
  }
}

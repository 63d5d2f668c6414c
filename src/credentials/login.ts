import * as z from 'zod'

/** What is stored of a sign-in with a code. The tokens are stored apart where the keychain of the system has them. */
export const Login = z.strictObject({
  /** Where an expired token is replaced. */
  tokenEndpoint: z.url(),
  clientId: z.string(),
  scope: z.string(),
  /** In milliseconds since 1970; null if the token does not expire. */
  expiresAt: z.int().nullable(),
  /** Null where it is not worth storing: then a new one is fetched. */
  accessToken: z.string().nullable(),
  /** Null if the provider gave none: then the access token does not expire. */
  refreshToken: z.string().nullable(),
})
export type Login = z.infer<typeof Login>

/** Where a login is stored. */
export interface LoginStore {
  /** Null if there is none. */
  read(): Promise<Login | null>
  /** Replaces it, while no other process can. Returns what is stored then; null if there is none. */
  update(change: (current: Login) => Promise<Login>): Promise<Login | null>
}

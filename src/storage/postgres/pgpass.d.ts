declare module 'pgpass' {
  export default function findPassword(account: object, done: (password: string | undefined) => void): void
}

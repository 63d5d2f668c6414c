/** The regular expression source for a word that announces a password. It requires the flags `i` and `u`. */
export const PASSWORD_LABEL =
  'pass(?:word|wd|phrase|code)|pwd|(?<![\\p{L}\\p{N}])p\\/?w|passwor[td]e?n?|kennwort|mot de passe|contraseña|senha|wachtwoord|hasło|пароль|密码|パスワード'

/** The source for a word that announces a token or key. */
export const TOKEN_LABEL =
  'secret(?:[_ -]?access)?(?:[_ -]?key)?|(?:api|access|account|master|encryption|signing|subscription|functions|shared[_ -]?access|integration|routing|service)[_ -]?key|client[_-]key[_-]data|token|credential|(?<![a-z])(?:pat|sig)'

/** The source for what may be on each side of a name or value: quotes of any language, also escaped ones. */
export const QUOTE = '(?:\\\\{0,7}["\'`]|""|&quot;|&#3[49];|\\\\u00(?:22|27)|%2[27])'

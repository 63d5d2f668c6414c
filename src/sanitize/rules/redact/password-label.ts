/** The regular expression source for a word that announces a password. It requires the flags `i` and `u`. */
export const PASSWORD_LABEL =
  'pass(?:word|wd|phrase|code)|pwd|(?<![\\p{L}\\p{N}])pw|passwor[td]e?n?|kennwort|mot de passe|contraseña|senha|wachtwoord|hasło|пароль|密码|パスワード'

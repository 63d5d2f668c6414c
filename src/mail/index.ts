export {
  getSender,
  inspectMailServer,
  type Mail,
  type MailServer,
  type MailSettings,
  openMailServer,
  refuseMail,
} from './mail-server'

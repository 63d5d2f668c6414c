export {
  getSender,
  inspectMailServer,
  MAIL_BATCH_SIZE,
  type Mail,
  type MailServer,
  type MailSettings,
  openMailServer,
  refuseMail,
} from './mail-server'

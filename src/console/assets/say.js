/** Shows a message for a while; screen readers read it. */
export function say(text) {
  const line = document.createElement('p')
  line.textContent = text
  document.getElementById('status').append(line)
  setTimeout(() => line.remove(), 8000)
}

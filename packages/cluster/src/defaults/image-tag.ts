const component = '[a-z0-9]+(?:(?:\\.|_|__|-+)[a-z0-9]+)*'
const label = '(?:[a-zA-Z0-9]|[a-zA-Z0-9][a-zA-Z0-9-]*[a-zA-Z0-9])'
const domain = `(?:${label}(?:\\.${label})*|\\[[a-fA-F0-9:]+\\])(?::[0-9]+)?`
const reference = new RegExp(
  `^(?:${domain}/)?${component}(?:/${component})*(?::([\\w][\\w.-]{0,127}))?(@[A-Za-z][A-Za-z0-9]*(?:[-_+.][A-Za-z][A-Za-z0-9]*)*:[0-9a-fA-F]{32,})?$`,
)

const repositoryLengthMax = 255

/** Without a domain, an image is one of Docker Hub, and without a folder in its `library`. */
function isTooLong(image: string): boolean {
  const name = image.replace(/@.*$/, '').replace(/:[\w.-]*$/, '')
  const [first = '', ...rest] = name.split('/')
  const isDomain = rest.length > 0 && /[.:]|^localhost$|[A-Z]/.test(first)
  const path = isDomain ? rest.join('/') : rest.length === 0 ? `library/${name}` : name
  return path.length > repositoryLengthMax
}

/** Whether an image has the tag `latest` or none, so that its pull policy is Always. */
export function followsLatest(image: string | undefined): boolean {
  const match = reference.exec(image ?? '')
  if (match === null) return false
  const [, tag, digest] = match
  if (isTooLong(image ?? '')) return false
  return tag === 'latest' || (tag === undefined && digest === undefined)
}

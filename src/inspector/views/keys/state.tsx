/** If an API key is taken. */
export function State({ isRevoked }: { readonly isRevoked: boolean }) {
  return <span class={`badge badge-${isRevoked ? 'bad' : 'good'}`}>{isRevoked ? 'revoked' : 'valid'}</span>;
}

/** `+12 −3` */
export function LineCounts({ added, removed }: { readonly added: number; readonly removed: number }) {
  const sentence = `${added} lines added, ${removed} removed`;
  return (
    <span class="counts" role="img" aria-label={sentence} title={sentence}>
      <span class="count-added">+{added}</span> <span class="count-removed">−{removed}</span>
    </span>
  );
}

/** Something that takes a while. */
export function Progress({ text }: { readonly text: string }) {
  return (
    <div class="progress" role="status">
      <progress aria-label={text} />
      <p>{text}</p>
    </div>
  );
}

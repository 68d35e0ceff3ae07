/**
 * What runs on the other machine for as long as the connection lasts, in any POSIX shell. It tells where agents look for
 * files, writes those that it is given, and removes them at its end. Tokens come by standard input, which nobody
 * sees there; the arguments, which anybody sees, hold nothing.
 *
 * It is sent `folder PATH`, `check PATH`, or `file PATH` and a line with the content, and answers each with `ok`, or
 * with `no` and why. Any other word says that the connection lives: when none has come for a minute it has
 * broken without a word, and all is removed.
 */
export const farSideScript = (variables: readonly string[]) => `
umask 077
tmp=\${TMPDIR:-\${TMP:-\${TEMP:-/tmp}}}
list=$(mktemp "$tmp/ide-companion-forward.XXXXXX") || exit 1
remove() {
  while IFS= read -r file; do rm -f "$file"; done < "$list"
  rm -f "$list"
}
main=$$
(
  nap=
  trap 'kill "$nap" 2>/dev/null; exit 0' HUP INT TERM
  while [ -n "$(find "$list" -mmin -1 2>/dev/null)" ]; do
    sleep 15 & nap=$!
    wait "$nap"
  done
  [ -f "$list" ] && remove
  kill -KILL "$main"
) </dev/null >/dev/null 2>&1 &
watch=$!
tidy() {
  trap '' HUP INT TERM PIPE
  kill "$watch" 2>/dev/null
  remove
  exit 0
}
trap tidy HUP INT TERM PIPE
printf 'tmp=%s\\nhome=%s\\npid=%s\\n' "$tmp" "$HOME" "$$"
${variables.map((name) => `printf 'env_${name}=%s\\n' "$${name}"`).join("\n")}
echo ready
while IFS= read -r line; do
  touch "$list"
  case $line in
    "folder "*)
      folder=\${line#folder }
      mkdir -p "\${folder%/*}" 2>/dev/null
      mkdir "$folder" 2>/dev/null
      if [ -d "$folder" ] && [ ! -L "$folder" ] && [ -O "$folder" ] && chmod 700 "$folder"; then echo ok
      else echo "no $folder is no folder of yours there"; fi ;;
    "file "*)
      file=\${line#file }
      IFS= read -r content
      printf '%s\\n' "$file.$$.tmp" "$file" >> "$list"
      if (set -C; printf '%s\\n' "$content" > "$file.$$.tmp") 2>/dev/null && mv -f "$file.$$.tmp" "$file"; then
        echo ok
      else echo "no $file cannot be written there"; fi ;;
    "check "*)
      if real=$(cd "\${line#check }" 2>/dev/null && pwd -P); then echo "ok $real"; else echo "no there is no folder \${line#check } there"; fi ;;
  esac
done
tidy
`;

/**
 * What runs on the other machine for as long as the connection lasts, in any POSIX shell. It tells where agents look for
 * files, writes those that it is given, and removes them at its end. Tokens come by standard input, which nobody
 * sees there; the arguments, which anybody sees, hold nothing.
 *
 * It is sent `folder PATH`, `check PATH`, `socket PATH`, `vacate PATH`, `own PATH`, or `file PATH` or
 * `rewrite PATH` and a line with the content, and answers each with `ok`, or with `no` and why. Any other word says that
 * the connection lives: when none has come for a minute it has broken without a word, and all is removed.
 *
 * A second link to each socket of ours tells it at the end from another one that somebody has put in its place.
 */
export const farSideScript = (variables: readonly string[]) => `
umask 077
tmp=\${TMPDIR:-\${TMP:-\${TEMP:-/tmp}}}
list=$(mktemp "$tmp/ide-companion-forward.XXXXXX") || exit 1
remove() {
  grep -v '^socket ' "$list" | while IFS= read -r file; do rm -f "$file"; done
  sed -n 's/^socket //p' "$list" | while IFS= read -r file; do
    [ "$file" -ef "$file.$$" ] && rm -f "$file"
    rm -f "$file.$$"
    case $file in */ide-companion-*/*) rmdir "\${file%/*}" 2>/dev/null ;; esac
  done
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
printf 'tmp=%s\\nhome=%s\\npid=%s\\nuid=%s\\n' "$tmp" "$HOME" "$$" "$(id -u)"
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
    "rewrite "*)
      file=\${line#rewrite }
      IFS= read -r content
      if grep -qxF "$file" "$list" && [ -f "$file" ] && [ ! -L "$file" ] && printf '%s\\n' "$content" > "$file"; then echo ok
      else echo "no $file cannot be written there"; fi ;;
    "socket "*)
      if [ -S "\${line#socket }" ]; then echo ok; else echo "no there is no socket \${line#socket } there"; fi ;;
    "vacate "*)
      file=\${line#vacate }
      [ -S "$file" ] && rm -f "$file"
      if [ -e "$file" ]; then echo "no $file is no socket there"; else echo ok; fi ;;
    "own "*)
      file=\${line#own }
      if [ -S "$file" ] && ln "$file" "$file.$$"; then printf 'socket %s\\n' "$file" >> "$list"; echo ok
      else echo "no $file cannot be made there"; fi ;;
    "check "*)
      if real=$(cd "\${line#check }" 2>/dev/null && pwd -P); then echo "ok $real"; else echo "no there is no folder \${line#check } there"; fi ;;
  esac
done
tidy
`;

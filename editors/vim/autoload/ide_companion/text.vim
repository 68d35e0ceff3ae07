vim9script
# Texts in buffers, byte by byte: a text includes line ends, a byte order mark and a missing last newline.

const mark = "\uFEFF"
const line_ends = {unix: "\n", dos: "\r\n", mac: "\r"}

# Whether every line has a DOS line end. Mixed line ends stay in the text.
def IsDos(text: string): bool
  const breaks = count(text, "\n")
  return breaks > 0 && count(text, "\r\n") == breaks
enddef

# { lines, marked, dos, ends }: with a byte order mark or not, and whether the last line has an end.
def Parse(text: string): dict<any>
  const marked = stridx(text, mark) == 0
  const dos = IsDos(text)
  const body = marked ? strpart(text, len(mark)) : text
  var lines = split(dos ? substitute(body, "\r\n", "\n", 'g') : body, "\n", true)
  const ends = lines[-1] == ''
  if ends
    remove(lines, -1)
  endif
  return {lines: lines, marked: marked, dos: dos, ends: ends}
enddef

def SetFormat(buffer: number, parsed: dict<any>)
  setbufvar(buffer, '&fileformat', parsed.dos ? 'dos' : 'unix')
  setbufvar(buffer, '&bomb', parsed.marked)
  setbufvar(buffer, '&endofline', parsed.ends)
  setbufvar(buffer, '&fixendofline', false)
enddef

# The number of a file's buffer, also when its name leads there through a link; -1 when there is none.
export def BufferOf(path: string): number
  return bufexists(path) ? bufadd(path) : -1
enddef

# Deletes what is below as many lines. A buffer without a text has one.
def Cut(buffer: number, count: number)
  if getbufinfo(buffer)[0].linecount > count
    silent deletebufline(buffer, count + 1, '$')
  endif
enddef

# Fills a buffer as if the text had been read from a file.
export def Put(buffer: number, text: string)
  const parsed = Parse(text)
  setbufvar(buffer, '&modifiable', true) # it is off for all in `vim -M`
  setbufvar(buffer, '&undolevels', -1) # an undo must not empty it
  if !empty(parsed.lines)
    setbufline(buffer, 1, parsed.lines)
  endif
  Cut(buffer, len(parsed.lines))
  setbufvar(buffer, '&undolevels', -123456) # as everywhere
  SetFormat(buffer, parsed)
  setbufvar(buffer, '&modified', false)
enddef

# Replaces the text of the current buffer, as one change that can be undone.
export def Replace(text: string)
  const parsed = Parse(text)
  silent deletebufline('', 1, '$')
  setline(1, parsed.lines)
  SetFormat(bufnr(), parsed)
enddef

# Gives a buffer another text by changing the lines that differ, so that cursor, marks and undo stay. `edits` say which.
export def Change(buffer: number, text: string, edits: list<dict<number>>)
  const parsed = Parse(text)
  const modifiable = getbufvar(buffer, '&modifiable')
  setbufvar(buffer, '&modifiable', true)
  for edit in reverse(copy(edits))
    # Before the old lines are deleted: a buffer without a line has an empty one.
    appendbufline(buffer, edit.from - 1 + edit.removed, slice(parsed.lines, edit.line - 1, edit.line - 1 + edit.added))
    if edit.removed > 0
      silent deletebufline(buffer, edit.from, edit.from + edit.removed - 1)
    endif
  endfor
  Cut(buffer, len(parsed.lines))
  SetFormat(buffer, parsed)
  setbufvar(buffer, '&modifiable', modifiable)
enddef

# A name that no buffer has. Tabs and status lines show it unchanged.
export def FreeName(whose: string, what: string): string
  const owner = substitute(whose, '[/\\[:cntrl:]]', '-', 'g')
  var name = owner .. what
  var number = 1
  while bufexists(name)
    number += 1
    name = printf('%s (%d)%s', owner, number, what)
  endwhile
  return name
enddef

# A buffer with a text that is no file; `label` names the file that the text is for.
export def NewBuffer(whose: string, label: string, content: string): number
  const file = fnamemodify(label, ':t')->substitute('[[:cntrl:]]', '?', 'g')
  const buffer = bufadd(FreeName(whose, ': ' .. file))
  setbufvar(buffer, '&buftype', 'nofile')
  setbufvar(buffer, '&bufhidden', 'hide')
  setbufvar(buffer, '&swapfile', false)
  noautocmd bufload(buffer)
  Put(buffer, content)
  setbufvar(buffer, 'ide_companion_text', true)
  return buffer
enddef

# Copies a text. Returns where it is, for a sentence.
export def Copy(content: string): string
  setreg('"', content)
  if has('clipboard_working') || (has('clipboard') && !empty($DISPLAY))
    setreg('+', content)
    return 'on the clipboard'
  endif
  return 'in register "'
enddef

# A sentence of the companion in an answer; what comes to be copied is copied.
export def Sentence(sentence: string, answer: dict<any>): string
  return has_key(answer, 'copy') ? substitute(sentence, '{place}', Copy(answer.copy)->escape('&\'), '') : sentence
enddef

# No line, which differs from one empty line.
def IsVoid(buffer: number): bool
  const windows = win_findbuf(buffer)
  return !empty(windows) && trim(win_execute(windows[0], 'echo wordcount().bytes')) == '0'
enddef

# The text of a buffer as it would be written to a file.
export def Get(buffer: number): string
  const lines = getbufline(buffer, 1, '$')
  const start = getbufvar(buffer, '&bomb') ? mark : ''
  if lines == [''] && IsVoid(buffer)
    return start
  endif
  const line_end = line_ends[getbufvar(buffer, '&fileformat')]
  return start .. join(lines, line_end) .. (getbufvar(buffer, '&endofline') ? line_end : '')
enddef

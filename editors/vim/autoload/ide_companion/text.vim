vim9script
# Texts in buffers, byte by byte: line ends, a byte order mark and a missing last newline are part of them.

const mark = "\uFEFF"
const line_ends = {unix: "\n", dos: "\r\n", mac: "\r"}

# Every line of it ends as in DOS. What is mixed stays as it is, carriage returns and all.
def IsDos(text: string): bool
  const breaks = count(text, "\n")
  return breaks > 0 && count(text, "\r\n") == breaks
enddef

# Fills a new buffer as if the text had been read from a file.
export def Put(buffer: number, text: string)
  const marked = stridx(text, mark) == 0
  const dos = IsDos(text)
  const body = marked ? strpart(text, len(mark)) : text
  var lines = split(dos ? substitute(body, "\r\n", "\n", 'g') : body, "\n", true)
  const ends = lines[-1] == ''
  if ends
    remove(lines, -1)
  endif
  setbufvar(buffer, '&undolevels', -1) # an undo must not empty it
  if !empty(lines)
    setbufline(buffer, 1, lines)
  endif
  setbufvar(buffer, '&undolevels', -123456) # as everywhere
  setbufvar(buffer, '&fileformat', dos ? 'dos' : 'unix')
  setbufvar(buffer, '&bomb', marked)
  setbufvar(buffer, '&endofline', ends)
  setbufvar(buffer, '&fixendofline', false)
  setbufvar(buffer, '&modified', false)
enddef

# A buffer with a text in it that is no file.
export def NewBuffer(name: string, content: string): number
  const buffer = bufadd('ide-companion://' .. name)
  setbufvar(buffer, '&buftype', 'nofile')
  setbufvar(buffer, '&swapfile', false)
  noautocmd bufload(buffer)
  Put(buffer, content)
  return buffer
enddef

# No line at all, which is not the same as one that is empty.
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

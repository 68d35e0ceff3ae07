vim9script
# What terminals of this Vim show, and what the companion types into them: comments and references for the prompt of an
# agent that runs there. The companion looks at the prompt first; nothing presses Enter.

# The terminal of a process: { buffer, pid }; empty when there is none.
def Find(pids: list<number>): dict<number>
  for buffer in term_list()
    const job = term_getjob(buffer)
    const pid: number = job == null_job ? 0 : job_info(job).process
    if index(pids, pid) >= 0
      return {buffer: buffer, pid: pid}
    endif
  endfor
  return {}
enddef

# `companion/readTerminal`. While its user reads what has scrolled away, a terminal shows no news.
export def Read(params: dict<any>): dict<any>
  const found = Find(params.pids)
  if empty(found) || term_getstatus(found.buffer) =~ 'normal'
    return {}
  endif
  const rows = range(1, term_getsize(found.buffer)[0])
  return {pid: found.pid, screen: rows->mapnew((_, row) => term_getline(found.buffer, row))->join("\n")}
enddef

# Types a text as one paste: a line end in it sends nothing, and no character of it answers a question that the agent
# asks. Vim itself would type it key by key, and an Escape alone is a key.
export def Paste(buffer: number, text: string)
  ch_sendraw(job_getchannel(term_getjob(buffer)), "\<Esc>[200~" .. text .. "\<Esc>[201~")
enddef

# `companion/typeInTerminal`
export def Type(params: dict<any>): any
  const found = Find([params.pid])
  if empty(found)
    throw 'no terminal has process ' .. params.pid
  endif
  Paste(found.buffer, params.text)
  return null
enddef

defcompile

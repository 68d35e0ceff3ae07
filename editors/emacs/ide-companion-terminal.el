;;; ide-companion-terminal.el --- Agents in terminals of Emacs  -*- lexical-binding: t; -*-

;; SPDX-License-Identifier: Apache-2.0

;;; Commentary:

;; Starts an agent in Vterm, Eat or Term, and sends files, lines, diagnostics
;; and words into its prompt.

;;; Code:

(require 'ide-companion-capabilities)
(require 'ide-companion-custom)
(require 'ide-companion-log)
(require 'ide-companion-rpc)
(require 'ide-companion-roots)
(require 'ide-companion-selection)
(require 'ide-companion-server)
(require 'ide-companion-status)
(require 'ide-companion-text)

(declare-function dired-get-marked-files "dired")
(declare-function eat-make "eat")
(declare-function term-char-mode "term")
(declare-function vterm-mode "vterm")
(defvar vterm-kill-buffer-on-exit)
(defvar vterm-shell)

(defvar ide-companion--latest nil "The terminal of an agent that was shown last.")

(defvar-local ide-companion--terminal-agent nil "Whose terminal this buffer is.")

(defun ide-companion--run-in-term (name command)
  "Run COMMAND in a terminal of Term called NAME."
  (let ((buffer (apply #'make-term (substring name 1 -1) (car command) nil (cdr command))))
    (with-current-buffer buffer
      (term-char-mode))
    (pop-to-buffer buffer)
    buffer))

(defun ide-companion--run-in-eat (name command)
  "Run COMMAND in a terminal of Eat called NAME."
  (let ((buffer (apply #'eat-make (substring name 1 -1) (car command) nil (cdr command))))
    (pop-to-buffer buffer)
    buffer))

(defun ide-companion--run-in-vterm (name command)
  "Run COMMAND in a terminal of Vterm called NAME."
  (let ((vterm-shell (mapconcat #'shell-quote-argument command " "))
        (buffer (get-buffer-create name)))
    (pop-to-buffer buffer)
    (vterm-mode)
    ;; The last output of an agent stays readable.
    (setq-local vterm-kill-buffer-on-exit nil)
    buffer))

(defun ide-companion--terminal-function ()
  "The function that opens a terminal."
  (pcase ide-companion-terminal
    ('vterm #'ide-companion--run-in-vterm)
    ('eat #'ide-companion--run-in-eat)
    ('term #'ide-companion--run-in-term)
    ('nil (cond ((fboundp 'vterm) #'ide-companion--run-in-vterm)
                ((fboundp 'eat) #'ide-companion--run-in-eat)
                (t #'ide-companion--run-in-term)))
    (function function)))

(defun ide-companion--running-p (terminal)
  "Whether the agent of the buffer TERMINAL is alive."
  (and (buffer-live-p terminal) (process-live-p (get-buffer-process terminal))))

(defun ide-companion--terminal-of (agent folder)
  "The live terminal of AGENT in FOLDER that was shown last, or nil."
  (let ((place (file-name-as-directory folder)))
    (car (ide-companion--filter
          (lambda (buffer)
            (with-current-buffer buffer
              (and (equal ide-companion--terminal-agent agent)
                   (equal default-directory place)
                   (ide-companion--running-p buffer))))
          (buffer-list)))))

(defun ide-companion--toggle (terminal)
  "Go to TERMINAL, or hide it when the user is in it."
  (setq ide-companion--latest terminal)
  (if (eq terminal (window-buffer))
      (quit-window)
    (pop-to-buffer terminal)))

(defun ide-companion--run-now (agent arguments folder)
  "Start AGENT with ARGUMENTS in a terminal in FOLDER."
  (let ((default-directory (file-name-as-directory folder))
        (process-environment (append (mapcar (lambda (variable)
                                               (format "%s=%s" (car variable) (cdr variable)))
                                             (ide-companion-environment))
                                     process-environment))
        ;; The program of the server, with another command.
        (command (append (butlast ide-companion-command) (list "run" agent "--") arguments)))
    (setq ide-companion--latest
          (funcall (ide-companion--terminal-function)
                   (generate-new-buffer-name (format "*%s*" agent)) command))
    (with-current-buffer ide-companion--latest
      (setq ide-companion--terminal-agent agent))))

(defun ide-companion--run-when-ready (&rest action)
  "Call ACTION, a function and its arguments, when the variables are known."
  (let (wait)
    (setq wait (lambda (status)
                 (when (plist-get status :port)
                   (remove-hook 'ide-companion-status-functions wait)
                   (apply #'run-with-timer 0 nil action))))
    (add-hook 'ide-companion-status-functions wait)))

(defun ide-companion--run-folder ()
  "The folder in which an agent is started from the current buffer."
  (or (and (not (file-remote-p default-directory))
           (ide-companion--project-of (current-buffer)))
      (ide-companion--folder default-directory)
      (user-error "%s is not on this machine" default-directory)))

(defun ide-companion--await-agents (folder)
  "Start the program for FOLDER and wait for the names of the agents.
Give up after 5 seconds, or when the program cannot be started."
  (add-to-list 'ide-companion--run-folders folder)
  (ide-companion-start)
  (with-timeout (5)
    (while (and ide-companion--wanted (null ide-companion--agents))
      (accept-process-output nil 0.05))))

(defun ide-companion--read-agent ()
  "Ask for the name of an agent.  The program knows the names."
  (unless ide-companion--agents
    (ide-companion--await-agents (ide-companion--run-folder)))
  (let ((names (mapcar (lambda (agent) (plist-get agent :name)) ide-companion--agents)))
    (completing-read "Agent: " names nil nil nil nil
                     (or (and (ide-companion--running-p ide-companion--latest)
                              (buffer-local-value 'ide-companion--terminal-agent ide-companion--latest))
                         (car names)))))

;;;###autoload
(defun ide-companion-run (agent &optional arguments)
  "Start AGENT in a terminal of this Emacs, or go to its terminal.
In that terminal, hide it.  Its folder is the project of the current
buffer.  With a prefix argument, ask for ARGUMENTS, a list of
strings, and start another one."
  (interactive
   (list (ide-companion--read-agent)
         (and current-prefix-arg
              (or (split-string-and-unquote (read-string "Arguments: ")) 'none))))
  (let* ((folder (ide-companion--run-folder))
         (terminal (ide-companion--terminal-of agent folder)))
    (if (and terminal (null arguments))
        (ide-companion--toggle terminal)
      (ide-companion--run-with #'ide-companion--run-now
                               agent (if (eq arguments 'none) nil arguments) folder))))

(defun ide-companion--run-with (run agent arguments folder)
  "Call RUN with AGENT, ARGUMENTS and FOLDER when the program serves FOLDER."
  (if (and ide-companion--status
           (ide-companion--roots-above folder))
      (funcall run agent arguments folder)
    (add-to-list 'ide-companion--run-folders folder)
    (ide-companion--run-when-ready run agent arguments folder)
    (ide-companion-start)))

;;;###autoload
(defun ide-companion-continue (agent)
  "Start AGENT with its last session of the project.
If its terminal is alive, go there instead."
  (interactive (list (ide-companion--read-agent)))
  (let* ((folder (ide-companion--run-folder))
         (terminal (ide-companion--terminal-of agent folder))
         (known (car (ide-companion--filter (lambda (one) (equal (plist-get one :name) agent))
                                            ide-companion--agents)))
         (arguments (append (plist-get known :resumeArguments) nil)))
    (cond
     (terminal (ide-companion--toggle terminal))
     (arguments (ide-companion--run-with #'ide-companion--run-now agent arguments folder))
     (t (user-error "%s has no last session that it could go on with"
                    (or (plist-get known :displayName) agent))))))

(defun ide-companion--latest-process ()
  "The process of the agent that was shown last, unless it has ended."
  (and (ide-companion--running-p ide-companion--latest)
       (get-buffer-process ide-companion--latest)))

(defun ide-companion--type-prompt (process prompt)
  "Type PROMPT into the terminal of PROCESS.
Several lines are one paste: a line end in it sends nothing."
  (process-send-string process (if (string-search "\n" prompt)
                                   (concat "\e[200~" prompt "\e[201~")
                                 prompt)))

(defun ide-companion--deliver (what &rest message)
  "Put MESSAGE, the parameters of `companion/send', into an agent's prompt.
If the program reaches no prompt, type it into the terminal of the
latest agent here; without one, copy it.  WHAT names it for people."
  (let* ((process (ide-companion--latest-process))
         (folder (if process
                     (buffer-local-value 'default-directory ide-companion--latest)
                   default-directory))
         (answer (ide-companion--fetch
                  :companion/send
                  (append message
                          (unless (file-remote-p folder)
                            (list :folder (ide-companion--file-name (directory-file-name folder)))))))
         (agent (plist-get answer :agent))
         (reason (plist-get answer :reason)))
    (cond
     (reason (user-error "%s" reason))
     (agent (ide-companion--say "The prompt of %s has %s" agent what))
     (process
      (ide-companion--type-prompt process (plist-get answer :prompt))
      (ide-companion--say "The prompt in %s has %s" (buffer-name ide-companion--latest) what))
     (t
      (ide-companion--say "No agent's prompt can be reached: it is %s"
                          (ide-companion--copy (plist-get answer :prompt)))))))

(defun ide-companion--mention (path &optional lines)
  "A reference to LINES of PATH, or to all of it.
LINES is a cons of the first and the last."
  (append (list :path path)
          (and lines
               (list :range (list :start (list :line (car lines) :character 1)
                                  :end (list :line (1+ (cdr lines)) :character 1))))))

(defun ide-companion--visited-file ()
  "The name of the file that the current buffer visits, as agents read it."
  (unless (ide-companion--file-buffer (current-buffer))
    (user-error "This buffer visits no file"))
  (ide-companion--file-name (buffer-file-name (ide-companion--file-buffer (current-buffer)))))

(defun ide-companion--mention-lines (first last)
  "A reference to the lines FIRST to LAST of this buffer.
All lines of a file are the file."
  (ide-companion--mention (ide-companion--visited-file)
                          (unless (ide-companion--all-lines-p first last) (cons first last))))

(defun ide-companion-send (first last)
  "Put a reference to the lines FIRST to LAST into an agent's prompt.
Interactively, use the lines of the region, or the current line.
All lines of a file are the file."
  (interactive (ide-companion--selected-lines))
  (ide-companion--deliver "the reference" :mentions (vector (ide-companion--mention-lines first last))))

(declare-function project-current "project")
(declare-function project-files "project")
(declare-function project-root "project")

(defun ide-companion--read-project-files ()
  "Ask for files of the current project, and return their names.
Return nil when there is no project."
  (require 'project)
  (let ((project (project-current)))
    (when project
      (let ((root (expand-file-name (project-root project))))
        (mapcar (lambda (name) (expand-file-name name root))
                (completing-read-multiple
                 "Send files: "
                 (mapcar (lambda (file) (file-relative-name file root)) (project-files project))
                 nil t (and buffer-file-name (file-relative-name buffer-file-name root))))))))

(defun ide-companion--read-files ()
  "The files that a command in this buffer is about.
In Dired, the marked ones, or the one at point; elsewhere, ask."
  (cond
   ((derived-mode-p 'dired-mode) (dired-get-marked-files))
   ((ide-companion--read-project-files))
   (t (list (read-file-name "Send: " nil buffer-file-name t)))))

(defun ide-companion-send-files (files)
  "Put references to FILES, a list of names, into an agent's prompt.
Interactively, use the marked files of Dired or the one at point.
Elsewhere, ask for files of the project, separated by commas;
outside of projects, ask for one file."
  (interactive (list (ide-companion--read-files)))
  (let ((remote (car (ide-companion--filter #'file-remote-p files))))
    (when remote (user-error "%s is not on this machine" remote)))
  (ide-companion--deliver
   (if (cdr files) "the references" "the reference")
   :mentions (vconcat (mapcar (lambda (file)
                                (ide-companion--mention
                                 (ide-companion--file-name (directory-file-name file))))
                              files))))

(defun ide-companion-send-text (text &optional first last)
  "Put TEXT into an agent's prompt.
With a region, add a reference to its lines, FIRST to LAST."
  (interactive (cons (read-string "To the agent: ")
                     (and (use-region-p) (ide-companion--selected-lines))))
  (if (string-blank-p text)
      (user-error "There is nothing to send")
    (apply #'ide-companion--deliver "it" :text (ide-companion--unicode text)
           (and first (list :mentions (vector (ide-companion--mention-lines first last)))))))

(defun ide-companion-send-diagnostics (first last)
  "Put what Flymake or Flycheck found into an agent's prompt.
Interactively, use the lines FIRST to LAST of the region, or the
current line; with a prefix argument, the whole buffer."
  (interactive (if current-prefix-arg
                   (list 1 (line-number-at-pos (point-max) t))
                 (ide-companion--selected-lines)))
  (ide-companion--visited-file)
  (let ((found (ide-companion--filter
                (lambda (one)
                  (and (<= (plist-get one :line) last)
                       (>= (or (plist-get one :endLine) (plist-get one :line)) first)))
                (ide-companion--buffer-diagnostics (current-buffer)))))
    (if (null found)
        (user-error "There are no diagnostics on these lines")
      (ide-companion--deliver
       "it" :diagnostics
       (vconcat (sort found (lambda (one other)
                              (< (plist-get one :line) (plist-get other :line)))))))))

(defun ide-companion--all-lines-p (first last)
  "Whether FIRST to LAST are all lines of this buffer, and several."
  (save-restriction
    (widen)
    (and (= first 1)
         (> last first)
         (= last (line-number-at-pos (max (point-min) (1- (point-max))) t)))))

(provide 'ide-companion-terminal)
;;; ide-companion-terminal.el ends here

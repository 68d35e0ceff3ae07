;;; diff-test.el --- Proposals -*- lexical-binding: t; -*-

;;; Commentary:

;; From coming to being decided, in every layout.

;;; Code:

(require 'fixture)
(require 'ediff)

(defun ide-companion-test-accepted ()
  "The texts that were accepted."
  (mapcar (lambda (params) (plist-get params :content))
          (ide-companion-test-sent :companion/diffAccepted)))

(defun ide-companion-test-rejected ()
  "The ids of what was rejected."
  (mapcar (lambda (params) (plist-get params :id))
          (ide-companion-test-sent :companion/diffRejected)))

(defun ide-companion-test-shown ()
  "The current buffer as it is seen, with what overlays add."
  (let ((text ""))
    (save-excursion
      (goto-char (point-min))
      (while (progn
               (dolist (overlay (overlays-in (point) (point)))
                 (when (= (point) (overlay-start overlay))
                   (setq text (concat text (overlay-get overlay 'before-string)))))
               (not (eobp)))
        (setq text (concat text (string (char-after))))
        (forward-char)))
    (substring-no-properties text)))

(ide-companion-deftest "a proposal is shown next to the user's window, which stays selected"
  (let ((window (selected-window)))
    (ide-companion-test-propose)
    (should (eq window (selected-window)))
    (should (equal (ide-companion-test-layout) '("*scratch*" "*Gemini CLI: main.js*")))
    (should (member "Gemini CLI proposes main.js" ide-companion-test-said))
    (ide-companion-next-proposal)
    (should (equal (list major-mode (line-number-at-pos) buffer-read-only) '(js-mode 2 nil)))
    (should (equal (ide-companion-test-shown) "one\ntwo\n2\nthree\n"))))

(dolist (keys '("C-c C-c" "C-x C-s" "M-x save-buffer RET" "M-x basic-save-buffer RET"))
  (eval
   `(ide-companion-deftest ,(concat keys " accepts with what was typed, and brings the user back")
      (let ((window (selected-window)))
        (ide-companion-test-propose :newContent "one\n2" :original "one\n")
        (ide-companion-next-proposal)
        (ide-companion-test-keys (concat "M-> !" " " ,keys))
        (should (equal (ide-companion-test-accepted) '("one\n2!")))
        (should-not (ide-companion-test-rejected))
        (should (eq window (selected-window)))
        (should (equal (ide-companion-test-layout) '("*scratch*")))
        (should-not (cl-find "Gemini CLI" (buffer-list)
                             :test #'string-search :key #'buffer-name))))
   t))

(dolist (keys '("C-c C-k" "C-x k RET"))
  (eval
   `(ide-companion-deftest ,(concat keys " rejects")
      (ide-companion-test-propose)
      (ide-companion-next-proposal)
      (ide-companion-test-keys ,keys)
      (should (equal (ide-companion-test-rejected) '("1")))
      (should (equal (ide-companion-test-layout) '("*scratch*"))))
   t))

(dolist (keys '("C-c C-k" "C-x k RET"))
  (eval
   `(ide-companion-deftest ,(concat "what was typed outlives a rejection by " keys)
      (ide-companion-test-propose)
      (ide-companion-next-proposal)
      (ide-companion-test-keys (concat "M-> mine RET " ,keys))
      (should (equal (ide-companion-test-rejected) '("1")))
      (should (equal (with-current-buffer "*Your edits: main.js*" (buffer-string)) "one\n2\nthree\nmine\n"))
      (should (member "Rejected: main.js. Your edits are saved in buffer *Your edits: main.js*."
                      ide-companion-test-said)))
   t))

(ide-companion-deftest "a proposal whose window is closed still waits"
  (ide-companion-test-propose)
  (ide-companion-test-keys "C-x 1")
  (should-not (ide-companion-test-rejected))
  (ide-companion-next-proposal)
  (should (equal (buffer-name (window-buffer)) "*Gemini CLI: main.js*")))

(ide-companion-deftest "a decision that does not count leaves the diff open, and a message says why"
  (let ((ide-companion-test-result '(:taken :json-false :reason "Too late.")))
    (ide-companion-test-propose)
    (ide-companion-accept)
    (ide-companion-test-settle)
    (should (member "Too late." ide-companion-test-said))
    (should (= 1 (length ide-companion--proposals)))
    (should (equal (ide-companion-test-layout) '("*scratch*" "*Gemini CLI: main.js*")))))

(ide-companion-deftest "what modes of the user's add when a file is saved is not added"
  (let ((before-save-hook (list #'delete-trailing-whitespace))
        (require-final-newline t))
    (ide-companion-test-propose :newContent "one  \ntwo" :original nil)
    (ide-companion-next-proposal)
    (ide-companion-test-keys "M-x basic-save-buffer RET")
    (should-not (ide-companion-test-accepted)) ; nothing was changed: it is as after a save
    (set-buffer-modified-p t)
    (ide-companion-test-keys "M-x basic-save-buffer RET")
    (should (equal (ide-companion-test-accepted) '("one  \ntwo")))))

(ide-companion-deftest "the hooks of a file's mode do not run for a proposal"
  (let* ((ran nil)
         (js-mode-hook (list (lambda () (setq ran t)))))
    (ide-companion-test-propose)
    (should-not ran)))

(ide-companion-deftest "a change is reverted, in both layouts"
  (dolist (ide-companion-diff-layout '(unified side-by-side))
    (ide-companion-test-propose :newContent "one\n2\nthree\n4\n" :original "one\ntwo\nthree\nfour\n")
    (ide-companion-next-proposal)
    (ide-companion-test-keys "C-c C-n C-c C-r C-c C-c"))
  (should (equal (ide-companion-test-accepted) '("one\n2\nthree\nfour\n" "one\n2\nthree\nfour\n"))))

(ide-companion-deftest "all that differs can be reverted, change by change"
  (dolist (texts '(("a\nb\nc\n" . "b\nc\n") ("b\nc\n" . "a\nb\nc\n") ("a\nb\n" . "a\nx\ny\n") ("a\nb\n" . "a")
                   ("a" . "a\nb\n") ("a\nb\nc" . "c") ("" . "a\n") ("a\n" . "") ("a\r\nb\r\n" . "a\r\nc\r\n")))
    (ide-companion-test-propose :original (car texts) :newContent (cdr texts))
    (ide-companion-next-proposal)
    (goto-char (point-min))
    (while (ide-companion--proposal-hunks ide-companion--proposal)
      (goto-char (ide-companion--hunk-position (car (ide-companion--proposal-hunks ide-companion--proposal))))
      (ide-companion-revert-change))
    (should (equal (ide-companion--get-text (current-buffer)) (car texts)))
    (ide-companion-test-keys "C-c C-k")))

(ide-companion-deftest "what is removed is shown where it was"
  (dolist (case '(("one\ntwo\nthree\n" "1\ntwo\n" "one\n1\ntwo\nthree\n")
                  ("a\nb\nc" "a\nb" "a\nb\nc\nb")
                  ("a\n" "" "a\n")
                  ("a\n" "a" "a\na")
                  ("" "a\n" "a\n")))
    (ide-companion-test-propose :original (nth 0 case) :newContent (nth 1 case))
    (ide-companion-next-proposal)
    (should (equal (list (nth 1 case) (ide-companion-test-shown)) (list (nth 1 case) (nth 2 case))))
    (ide-companion-test-keys "C-c C-k")))

(ide-companion-deftest "what is typed is compared as soon as that pauses"
  (ide-companion-test-propose)
  (ide-companion-next-proposal)
  (goto-char (point-max))
  (insert "four\n")
  (timer-event-handler ide-companion--drawing)
  (should (equal (ide-companion--proposal-hunks ide-companion--proposal) '((2 1 2 1) (3 0 4 1)))))

(ide-companion-deftest "without the program diff all is one change"
  (let ((exec-path nil))
    (ide-companion-test-propose)
    (should (equal (ide-companion--proposal-hunks (car ide-companion--proposals)) '((1 3 1 3))))))

(ide-companion-deftest "changes are gone to one after the other"
  (ide-companion-test-propose :original "a\nb\nc\nd\ne\n" :newContent "a\nB\nc\nD\nE\n")
  (ide-companion-next-proposal)
  (should (= 2 (line-number-at-pos)))
  (ide-companion-test-keys "C-c C-n")
  (should (= 4 (line-number-at-pos)))
  (should-error (ide-companion-next-change) :type 'user-error)
  (ide-companion-test-keys "C-c C-p")
  (should (= 2 (line-number-at-pos))))

(ide-companion-deftest "of lines that are alike only what differs is marked"
  (should (equal (ide-companion--changed-part "let total = 0;" "let total = 10;") '(12 12 13)))
  (should-not (ide-companion--changed-part "abcdefgh" "12345678"))
  (should (equal (ide-companion--refinements "aaaa 1\nbbbb\n" "aaaa 2\nbbbB\n")
                 '((3 4 4 7 7) (5 6 6 0 0)))))

(ide-companion-deftest "side by side both stay level, and scroll together"
  (let* ((ide-companion-diff-layout 'side-by-side)
         (lines (mapconcat #'number-to-string (number-sequence 1 200) "\n"))
         (proposal (ide-companion-test-propose :original lines :newContent (concat "new\nnew\n" lines))))
    (should (equal (ide-companion-test-layout)
                   '("*scratch*" " *Gemini CLI: main.js on disk*" "*Gemini CLI: main.js*")))
    (should (equal (ide-companion--other-line 10 (ide-companion--proposal-hunks proposal) nil) 8))
    (should (equal (ide-companion--other-line 8 (ide-companion--proposal-hunks proposal) t) 10))
    (ide-companion-next-proposal)
    (let ((base (get-buffer-window (ide-companion--proposal-base proposal))))
      (set-window-start nil (ide-companion--line-position 102))
      (ide-companion--on-scroll (selected-window) (window-start))
      (should (equal 100 (with-current-buffer (window-buffer base)
                           (line-number-at-pos (window-start base))))))
    (ide-companion-test-keys "C-c C-k")
    (should (equal (ide-companion-test-layout) '("*scratch*")))))

(ide-companion-deftest "by Ediff the answer at its end decides"
  (let ((ide-companion-diff-layout 'ediff)
        (ediff-window-setup-function #'ediff-setup-windows-plain))
    (ide-companion-test-propose)
    (should (equal (ide-companion-test-layout) '("*scratch*")))
    (ide-companion-next-proposal)
    (set-buffer (window-buffer))
    (should (derived-mode-p 'ediff-mode))
    (cl-letf (((symbol-function 'read-multiple-choice) (lambda (&rest _) '(?a "accept"))))
      (ediff-really-quit nil)
      (ide-companion-test-settle))
    (should (equal (ide-companion-test-accepted) '("one\n2\nthree\n")))
    (should (equal (ide-companion-test-layout) '("*scratch*")))))

(ide-companion-deftest "an Ediff session ends with its proposal, without a question"
  (let ((ide-companion-diff-layout 'ediff)
        (ediff-window-setup-function #'ediff-setup-windows-plain))
    (ide-companion-test-propose)
    (ide-companion-next-proposal)
    (ide-companion--close '(:id "1" :reason "agent"))
    (ide-companion-test-settle)
    (should (equal (ide-companion-test-layout) '("*scratch*")))
    (should-not (cl-find "*Ediff Control" (buffer-list) :test #'string-search :key #'buffer-name))))

(ide-companion-deftest "closed by its agent a proposal gives its text back, edits and all"
  (ide-companion-test-propose)
  (ide-companion-next-proposal)
  (ide-companion-test-keys "M-> four RET")
  (should (equal (ide-companion--read '(:id "1")) '(:content "one\n2\nthree\nfour\n")))
  (should (equal (ide-companion--close '(:id "1" :reason "agent")) '(:content "one\n2\nthree\nfour\n")))
  (ide-companion-test-settle)
  (should (equal (ide-companion-test-layout) '("*scratch*")))
  (should-not (ide-companion-test-rejected))
  (should-error (ide-companion--read '(:id "1"))))

(ide-companion-deftest "two proposals, also for one file, do not clash"
  (ide-companion-test-propose :id "1" :newContent "a\n")
  (ide-companion-test-propose :id "2" :newContent "b\n" :agent "Qwen Code")
  (should (equal (ide-companion-test-layout) '("*scratch*" "*Gemini CLI: main.js*")))
  (ide-companion-accept)
  (ide-companion-test-settle)
  (should (equal (ide-companion-test-accepted) '("a\n")))
  (should (equal (ide-companion-test-layout) '("*scratch*" "*Qwen Code: main.js*")))
  (ide-companion-reject)
  (ide-companion-test-settle)
  (should (equal (ide-companion-test-rejected) '("2")))
  (should (equal (ide-companion-test-layout) '("*scratch*"))))

(ide-companion-deftest "a second proposal says that it waits, and which key goes there"
  (ide-companion-test-propose :id "1" :label "one")
  (should (equal (car ide-companion-test-said) "Gemini CLI proposes one"))
  (ide-companion-test-propose :id "2" :label "two")
  (should (equal (car ide-companion-test-said)
                 "Gemini CLI proposes two; it waits: M-x ide-companion-next-proposal"))
  (ide-companion-next-proposal)
  (let ((header (lambda () (with-current-buffer (window-buffer) (ide-companion--header)))))
    (should (string-search "C-c C-v: next (1 of 2)  Gemini CLI proposes one" (funcall header)))
    (ide-companion-test-keys "C-c C-v")
    (should (string-search "(2 of 2)  Gemini CLI proposes two" (funcall header)))
    (ide-companion--close '(:id "1"))
    (should-not (string-search " of " (funcall header)))))

(ide-companion-deftest "one goes from proposal to proposal, and back in the end"
  (let ((window (selected-window)))
    (dolist (id '("1" "2" "3"))
      (ide-companion-test-propose :id id :label id))
    (dolist (label '("1" "2" "3" "1"))
      (ide-companion-next-proposal)
      (should (equal (buffer-name (window-buffer)) (format "*Gemini CLI: %s*" label)))
      (should (= 2 (length (window-list)))))
    (ide-companion-test-keys "C-c C-c")
    (should (eq window (selected-window)))
    (should (= 2 (length ide-companion--proposals)))))

(ide-companion-deftest "the windows of the user are as before"
  (let ((state (lambda ()
                 (mapcar (lambda (window)
                           (list (window-buffer window) (window-edges window) (window-start window)
                                 (window-point window) (eq window (selected-window))))
                         (window-list nil nil (frame-first-window)))))
        (other (get-buffer-create "other")))
    (with-current-buffer other (dotimes (line 100) (insert (format "%d\n" line))))
    (set-window-buffer (split-window nil nil 'right) other)
    (set-window-start (get-buffer-window other) 40)
    (set-window-point (get-buffer-window other) 60)
    (let ((before (funcall state)))
      (dolist (ide-companion-diff-layout '(unified side-by-side))
        (ide-companion-test-propose)
        (ide-companion-accept)
        (ide-companion-test-settle)
        (should (equal (funcall state) before))))))

(ide-companion-deftest "a window that was borrowed shows again what it did"
  (let ((ide-companion-display-action '(display-buffer-use-some-window (inhibit-same-window . t)))
        (other (get-buffer-create "other")))
    (set-window-buffer (split-window) other)
    (ide-companion-test-propose :id "1")
    (ide-companion-test-propose :id "2")
    (ide-companion-next-proposal)
    (ide-companion-next-proposal)
    (ide-companion-accept)
    (ide-companion-test-settle)
    (ide-companion-accept)
    (ide-companion-test-settle)
    (should (equal (ide-companion-test-layout) '("*scratch*" "other")))))

(ide-companion-deftest "a window that the user has taken for something else stays"
  (let ((proposal (ide-companion-test-propose)))
    (set-window-buffer (get-buffer-window (ide-companion--proposal-buffer proposal))
                       (get-buffer-create "mine"))
    (ide-companion-accept)
    (ide-companion-test-settle)
    (should (equal (ide-companion-test-layout) '("*scratch*" "mine")))))

(ide-companion-deftest "a proposal with only a message changes no window"
  (let ((ide-companion-on-proposal 'message))
    (ide-companion-test-propose)
    (should (equal (ide-companion-test-layout) '("*scratch*")))
    (ide-companion-next-proposal)
    (should (= 2 (length (window-list))))))

(ide-companion-deftest "a proposal is gone to at once, if the user wants that"
  (let ((ide-companion-on-proposal 'select))
    (ide-companion-test-propose)
    (should (equal (buffer-name (window-buffer)) "*Gemini CLI: main.js*"))))

(ide-companion-deftest "a region stays active when a proposal comes"
  (let ((transient-mark-mode t))
    (switch-to-buffer "words")
    (insert "one two")
    (push-mark 1 t t)
    (ide-companion-test-propose)
    (should (region-active-p))))

(ide-companion-deftest "a new file has no original next to it, and its folder is not made"
  (let ((path (expand-file-name "deep/er/new.js" ide-companion-test-folder)))
    (ide-companion-test-propose :filePath path :original nil :notes ["This is a new file."])
    (ide-companion-next-proposal)
    (should (equal (ide-companion-test-shown) "one\n2\nthree\n"))
    (should (equal default-directory ide-companion-test-folder))
    (should (string-search "This is a new file." (ide-companion--header)))
    (should-not (file-exists-p (file-name-directory path)))))

(ide-companion-deftest "unsaved edits of the file are mentioned and not touched"
  (let ((path (ide-companion-test-file "a b#%[.txt" "old\n")))
    (find-file path)
    (insert "unsaved")
    (ide-companion-test-propose :filePath path :label "a b#%[.txt" :original "old\n")
    (with-current-buffer (ide-companion--proposal-buffer (car ide-companion--proposals))
      (should (string-search "Your unsaved edits are not in this comparison." (ide-companion--header)))
      (should (string-search "a b#%%[.txt" (ide-companion--header))))
    (ide-companion-reject)
    (ide-companion-test-settle)
    (should (equal (list (buffer-string) (buffer-modified-p)) '("unsavedold\n" t)))))

(ide-companion-deftest "the buffer of an accepted file follows what its agent writes"
  (let ((path (ide-companion-test-file "a.txt" "old\n")))
    (find-file path)
    (ide-companion-test-propose :filePath path :newContent "new\n" :original "old\n")
    (ide-companion-accept)
    (ide-companion-test-settle)
    (ide-companion-test-file "a.txt" "new and longer\n")
    (ide-companion-test-until
     (lambda () (with-current-buffer "a.txt" (equal (buffer-string) "new and longer\n"))))
    (should-not (buffer-modified-p (get-buffer "a.txt")))))

(ide-companion-deftest "a buffer with unsaved edits stays, and a message says so"
  (let ((path (ide-companion-test-file "a.txt" "old\n")))
    (find-file path)
    (insert "unsaved ")
    (ide-companion-test-propose :filePath path :newContent "new\n" :original "old\n")
    (ide-companion-accept)
    (ide-companion-test-settle)
    (ide-companion-test-file "a.txt" "new and longer\n")
    (ide-companion-test-until
     (lambda () (cl-find "your unsaved edits are not in it" ide-companion-test-said :test #'string-search)))
    (should (equal (with-current-buffer "a.txt" (buffer-string)) "unsaved old\n"))))

(ide-companion-deftest "what is typed in a proposal is sent, once for many keys, and before Emacs ends"
  (ide-companion-test-propose :newContent "new\n")
  (with-current-buffer "*Gemini CLI: main.js*"
    (dolist (letter '("m" "i" "n" "e ")) (insert letter))
    (should-not (ide-companion-test-sent :companion/draft))
    (ide-companion-test-until (lambda () (ide-companion-test-sent :companion/draft)))
    (insert "and ")
    (ide-companion--send-drafts))
  (should (equal (ide-companion-test-sent :companion/draft)
                 '((:id "1" :content "mine new\n") (:id "1" :content "mine and new\n")))))

(ide-companion-deftest "of the open proposals only those stay that the user has edited when the program dies"
  (ide-companion-test-propose :id "1")
  (ide-companion-test-propose :id "2" :label "edited")
  (with-current-buffer "*Gemini CLI: edited*" (insert "x"))
  (ide-companion--orphan)
  (ide-companion-test-settle)
  (should (equal (mapcar #'ide-companion--proposal-id ide-companion--proposals) '("2")))
  (with-current-buffer "*Gemini CLI: edited*"
    (should (string-search "nobody waits" (ide-companion--header)))
    (should-error (ide-companion-accept) :type 'user-error)))

(dolist (leave '(ide-companion-reject kill-buffer))
  (eval
   `(ide-companion-deftest ,(format "by `%s' nothing is lost that was typed before the program died" leave)
      (ide-companion-test-propose :newContent "new\n")
      (with-current-buffer "*Gemini CLI: main.js*"
        (insert "mine and ")
        (ide-companion--orphan)
        (,leave))
      (ide-companion-test-settle)
      (should-not (ide-companion-test-rejected))
      (should-not (get-buffer "*Gemini CLI: main.js*"))
      (should (equal (with-current-buffer "*Your edits: main.js*" (buffer-string)) "mine and new\n")))
   t))

(ide-companion-deftest "Emacs asks before it exits as long as a proposal waits"
  (cl-letf (((symbol-function 'yes-or-no-p) (lambda (prompt) (push prompt ide-companion-test-said) nil)))
    (should (ide-companion--ask-before-exit))
    (ide-companion-test-propose)
    (should-not (ide-companion--ask-before-exit))
    (should (equal (car ide-companion-test-said)
                   "A proposal for main.js waits for your decision; exit anyway? "))))

(ide-companion-deftest "hooks run for each event"
  (let* (events
         (record (lambda (name) (lambda (proposal) (push (list name (plist-get proposal :path)) events))))
         (ide-companion-diff-opened-functions (list (funcall record 'opened)))
         (ide-companion-diff-accepted-functions (list (funcall record 'accepted)))
         (ide-companion-diff-rejected-functions (list (lambda (_) (error "Mine")) (funcall record 'rejected)))
         (ide-companion-diff-closed-functions (list (funcall record 'closed))))
    (ide-companion-test-propose)
    (ide-companion-accept)
    (ide-companion-test-settle)
    (ide-companion-test-propose :id "2")
    (ide-companion--close '(:id "2"))
    (should (equal (nreverse events)
                   '((opened "/app/main.js") (accepted "/app/main.js")
                     (opened "/app/main.js") (closed "/app/main.js"))))))

(provide 'diff-test)
;;; diff-test.el ends here

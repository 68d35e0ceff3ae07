;;; decision-test.el --- Accepting and rejecting -*- lexical-binding: t; -*-

;;; Commentary:

;; What the user's decision does, and what becomes of what was typed.

;;; Code:

(require 'ediff)
(require 'fixture)

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

(ide-companion-deftest "C-x k rejects also in the window of the file on disk, and closes both"
  (let* ((ide-companion-diff-layout 'ediff)
         (ediff-window-setup-function #'ediff-setup-windows-plain)
         (proposal (ide-companion-test-propose)))
    (ide-companion-next-proposal)
    (with-current-buffer (ide-companion--proposal-buffer proposal) (insert "mine "))
    (select-window (get-buffer-window (ide-companion--proposal-base proposal)))
    (ide-companion-test-keys "C-x k RET")
    (should (equal (ide-companion-test-rejected) '("1")))
    (should (equal (ide-companion-test-layout) '("*scratch*")))
    (should-not (buffer-live-p (ide-companion--proposal-buffer proposal)))
    (should (equal (car ide-companion-test-said)
                   "Rejected: main.js. Your edits are saved in buffer *Your edits: main.js*."))))

(dolist (keys '("C-c C-k" "C-x k RET"))
  (eval
   `(ide-companion-deftest ,(concat "what was typed outlives a rejection by " keys)
      (ide-companion-test-propose)
      (ide-companion-next-proposal)
      (ide-companion-test-keys (concat "M-> mine RET " ,keys))
      (should (equal (ide-companion-test-rejected) '("1")))
      (should (equal (with-current-buffer "*Your edits: main.js*" (buffer-string)) "one\n2\nthree\nmine\n"))
      (should (equal (car ide-companion-test-said)
                     "Rejected: main.js. Your edits are saved in buffer *Your edits: main.js*.")))
   t))

(pcase-dolist (`(,decide ,answer ,message)
               '((ide-companion-accept (:taken t) "Accepted: a.txt.")
                 (ide-companion-accept (:taken :json-false :reason "Too late.")
                                       "Too late. Your edits are saved in buffer *Your edits: a.txt*.")
                 (ide-companion-reject (:taken t)
                                       "Rejected: a.txt. Your edits are saved in buffer *Your edits: a.txt*.")))
  (eval
   `(ide-companion-deftest ,(format "a proposal that is killed before the answer to `%s' ends with: %s" decide message)
      (let ((ide-companion-test-result ',answer)
            (path (ide-companion-test-file "a.txt" "old\n")))
        (find-file path) ; which is reverted
        (ide-companion-test-propose :filePath path :label "a.txt" :newContent "new\n" :original "old\n")
        (with-current-buffer "*Gemini CLI: a.txt*"
          (insert "mine ")
          (,decide)
          (kill-buffer))
        (ide-companion-test-until (lambda () (equal (car ide-companion-test-said) ,message)))
        (ide-companion-test-settle)
        (when (get-buffer "*Your edits: a.txt*")
          (should (equal (with-current-buffer "*Your edits: a.txt*" (buffer-string)) "mine new\n")))))
   t))

(ide-companion-deftest "a file that is narrowed stays so when its agent has written it"
  (let ((path (ide-companion-test-file "a.txt" "one\ntwo\nthree\nfour\n")))
    (find-file path)
    (narrow-to-region (progn (goto-char (point-min)) (forward-line 2) (point)) (point-max))
    (ide-companion-test-propose :filePath path :label "a.txt" :newContent "one\n2\nTWO\nthree\nfour\n"
                                :original "one\ntwo\nthree\nfour\n")
    (ide-companion-accept)
    (ide-companion-test-settle)
    (ide-companion-test-file "a.txt" "one\n2\nTWO\nthree\nfour\n")
    (ide-companion--file-written (list :id "1" :filePath path :isWritten t))
    (let ((buffer (get-file-buffer path)))
      (ide-companion-test-until
       (lambda () (with-current-buffer buffer
                    (save-restriction
                      (widen)
                      (string-search "TWO" (buffer-string))))))
      (should (equal (with-current-buffer buffer (buffer-string)) "three\nfour\n")))))

(ide-companion-deftest "a file that has not changed since it was read is not read again"
  (let ((path (ide-companion-test-file "a.txt" "one\n")) (reverted nil))
    (find-file path)
    (add-hook 'after-revert-hook (lambda () (setq reverted t)) nil t)
    (ide-companion--file-written (list :id "" :filePath path :isWritten t))
    (should-not reverted)
    (ide-companion-test-file "a.txt" "one\ntwo\n")
    (ide-companion--file-written (list :id "" :filePath path :isWritten t))
    (should reverted)
    (should (equal (buffer-string) "one\ntwo\n"))))

(ide-companion-deftest "a decision that does not count leaves the diff open, and a message says why"
  (let ((ide-companion-test-result '(:taken :json-false :reason "Too late.")))
    (ide-companion-test-propose)
    (ide-companion-accept)
    (ide-companion-test-settle)
    (should (member "Too late." ide-companion-test-said))
    (should (= 1 (length ide-companion--proposals)))
    (should (equal (ide-companion-test-layout) '("*scratch*" "*Gemini CLI: main.js*")))))

(dolist (end '(ide-companion-accept ide-companion-reject (ide-companion--close '(:id "1" :reason "agent"))))
  (eval
   `(ide-companion-deftest ,(format "what would be lost cannot be typed after %s" end)
      (let ((busy t))
        (cl-letf* ((calm (symbol-function 'ide-companion--calm-p))
                   ((symbol-function 'ide-companion--calm-p) (lambda () (and (not busy) (funcall calm)))))
          (ide-companion--open (list :id "1" :agent "Gemini CLI" :filePath "/app/main.js" :label "main.js"
                                     :newContent "new\n" :original "old\n" :notes []))
          (with-current-buffer "*Gemini CLI: main.js*"
            (insert "mine ")
            ,(if (symbolp end) (list end) end)
            (should-error (insert "lost ") :type 'buffer-read-only) ; before the program's answer
            (ide-companion-test-until (lambda () (null ide-companion--proposals)))
            (should-error (insert "lost ") :type 'buffer-read-only))
          (setq busy nil)
          (ide-companion--do-later)
          (should-not (get-buffer "*Gemini CLI: main.js*")))))
   t))

(ide-companion-deftest "a proposal is edited further when its decision does not count"
  (let ((ide-companion-test-result '(:taken :json-false :reason "Too late.")))
    (ide-companion-test-propose :newContent "new\n")
    (ide-companion-next-proposal)
    (ide-companion-test-keys "mine SPC C-c C-c")
    (ide-companion-test-keys "more SPC")
    (should (equal (buffer-string) "mine more new\n"))))

(ide-companion-deftest "what was accepted when the program died is not lost"
  (ide-companion-test-propose :newContent "new\n")
  (ide-companion-next-proposal)
  (insert "mine ")
  (ide-companion-accept)
  (ide-companion--orphan)
  (should (equal (with-current-buffer "*Your edits: main.js*" (buffer-string)) "mine new\n")))

(ide-companion-deftest "saving the user's own edits after an acceptance keeps what the agent has written"
  (let* ((path (ide-companion-test-file "a.txt" "one\ntwo\nthree\nfour\nfive\n"))
         (buffer (find-file path)))
    (goto-char (point-max))
    (insert "mine\n")
    (ide-companion-test-propose :filePath path :label "a.txt" :newContent "1\ntwo\nthree\nfour\nfive\n"
                                :original "one\ntwo\nthree\nfour\nfive\n")
    (ide-companion-accept)
    (ide-companion-test-settle)
    (rename-file (ide-companion-test-file "b.txt" "1\ntwo\nthree\nfour\nfive\n") path t)
    (ide-companion--file-written (list :id "1" :filePath path :isWritten t))
    (should (buffer-local-value 'ide-companion--apart buffer))
    (should (string-search "M-x ide-companion-merge" (car ide-companion-test-said)))
    (with-current-buffer buffer
      (cl-letf (((symbol-function 'yes-or-no-p) (lambda (&rest _) (ert-fail "asked to overwrite")))
                ((symbol-function 'ide-companion--fetch)
                 (lambda (method params)
                   (should (equal (list method (plist-get params :before) (plist-get params :content))
                                  '(:companion/merge "one\ntwo\nthree\nfour\nfive\n"
                                                     "one\ntwo\nthree\nfour\nfive\nmine\n")))
                   '(:content "1\ntwo\nthree\nfour\nfive\nmine\n" :isClean t)))
                ((symbol-function 'y-or-n-p) #'always))
        (save-buffer)))
    (should (equal (with-temp-buffer (insert-file-contents path) (buffer-string))
                   "1\ntwo\nthree\nfour\nfive\nmine\n"))))

(ide-companion-deftest "a buffer has what its agent has written although the file had changed before"
  (let* ((path (ide-companion-test-file "a.txt" "old\n"))
         (buffer (find-file path)))
    (ide-companion-test-propose :filePath path :label "a.txt" :newContent "new\n" :original "old\n")
    (ide-companion-test-file "a.txt" "other\n")
    (ide-companion-accept)
    (ide-companion-test-settle)
    (ide-companion--file-written (list :id "1" :filePath path :isWritten :json-false))
    (should (equal "old\n" (with-current-buffer buffer (buffer-string))))
    (rename-file (ide-companion-test-file "b.txt" "new\n") path t)
    (ide-companion--file-written (list :id "1" :filePath path :isWritten t))
    (should (equal "new\n" (with-current-buffer buffer (buffer-string))))))

(ide-companion-deftest "a decision from elsewhere about one of several that nobody sees goes there first"
  (let ((ide-companion-on-proposal 'message))
    (ide-companion-test-propose)
    (ide-companion-test-propose :id "2" :label "b.js")
    (should-error (ide-companion-accept) :type 'user-error)
    (should-not (ide-companion-test-accepted))
    (should (eq (car ide-companion--proposals) (buffer-local-value 'ide-companion--proposal (window-buffer))))))

(ide-companion-deftest "what is typed when the agent replaces a proposal reaches no other buffer"
  (ide-companion-test-propose)
  (ide-companion-next-proposal)
  (insert "in the middle of a wo")
  (ide-companion--close '(:id "1" :words "Gemini CLI has replaced this"))
  (ide-companion--open (list :id "2" :agent "Gemini CLI" :filePath "/app/main.js" :label "main.js"
                             :newContent "new\n" :original "old\n" :notes []))
  (accept-process-output nil 0.1)
  (should (string-search "Gemini CLI has replaced this: main.js" (format "%s" ide-companion-test-said)))
  (with-current-buffer (window-buffer)
    (should-error (insert "rd") :type 'buffer-read-only))
  (ide-companion-test-settle)
  (should-not (string-search "rd" (with-current-buffer "*scratch*" (buffer-string)))))

(ide-companion-deftest "a proposal follows its file, unless its user types"
  (let* ((proposal (ide-companion-test-propose))
         (update '(:id "1" :seen "one\n2\nthree\n" :newContent "one\n2\nthree\nfour\n"
                   :content "one\n2\nthree\nfour\n" :original "one\ntwo\nthree\nfour\n"
                   :notes [] :words ["The proposal has these changes too." "merged with it" "merged"])))
    (should (equal (apply #'ide-companion-test-update (plist-put (copy-sequence update) :seen "other"))
                   '(:content "one\n2\nthree\n")))
    (should (equal (apply #'ide-companion-test-update update) '(:content "one\n2\nthree\nfour\n")))
    (should (equal (ide-companion--proposal-hunks proposal) '((:from 2 :removed 1 :line 2 :added 1))))
    (should-not (ide-companion--edited-p proposal))
    (should (string-search "The proposal has these changes too" (car ide-companion-test-said)))
    (ide-companion-next-proposal)
    (insert "x")
    (should (equal (apply #'ide-companion-test-update (plist-put (copy-sequence update) :seen (buffer-string)))
                   (list :content (buffer-string))))))

(provide 'decision-test)
;;; decision-test.el ends here
